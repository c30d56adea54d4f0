import { expect } from "chai";
import { type Addressable, getBytes, ZeroAddress } from "ethers";
import { network } from "hardhat";
import {
  AMOUNT,
  accept,
  coSign,
  coSigner,
  deployManagedStage,
  type ManagedStage,
  type ManagedTerms,
  type ManagedTermsV2,
  managedTerms,
  managedTermsV2,
  recordV2Hash,
} from "../../../helpers/contracts/managedStage.ts";
import { Binding, DESTINATION_CHAIN_ID, solver } from "../../../helpers/contracts/receiverStage.ts";
import { padded, requestIdOf, signRecord } from "../../../helpers/contracts/signedRecord.ts";
import { deployToken } from "../../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

type Version = 1 | 2;
type AnyRecord = ManagedTerms["record"] | ManagedTermsV2["record"];
type Terms = Omit<ManagedTerms, "record"> & { readonly record: AnyRecord };

/** A stage, and a currency it accepts: native, or a token. */
interface Scene {
  readonly stage: ManagedStage;
  readonly currency: string;
}

async function scenesBoundTo(binding: number) {
  const stage = await deployManagedStage(ethers, { binding });
  const token = await deployToken(ethers, "LocalToken");
  await accept(stage, token);
  return { native: { stage, currency: ZeroAddress }, token: { stage, currency: await token.getAddress() } };
}

async function boundToReceiver() {
  return scenesBoundTo(Binding.Receiver);
}

async function boundToCaller() {
  return scenesBoundTo(Binding.Caller);
}

/** Valid terms, except for `change`'s effect on the record, which the solver signs as changed. */
async function termsOf({ stage, currency }: Scene, version: Version, change: object = {}): Promise<Terms> {
  if (version === 1) {
    const terms = await managedTerms(stage, { currency });
    const record = { ...terms.record, ...change };
    return { ...terms, record, signature: signRecord(solver, record) };
  }
  const terms = await managedTermsV2(stage, { currency });
  const record = { ...terms.record, ...change };
  return { ...terms, record, signature: solver.signMessageSync(getBytes(recordV2Hash(record))) };
}

async function pay(
  { stage, currency }: Scene,
  version: Version,
  { record, signature, coSignature }: Terms,
  amount = AMOUNT,
  payer = stage.depositor,
) {
  const receiver = stage.receiver.connect(payer);
  const [first, second] = [record as ManagedTerms["record"], record as ManagedTermsV2["record"]];
  if (currency === ZeroAddress) {
    const value = { value: amount };
    if (version === 1) return receiver.depositNative(first, signature, coSignature, value);
    return receiver.depositNativeV2(second, signature, coSignature, value);
  }
  if (version === 1) return receiver.depositErc20(currency, amount, first, signature, coSignature);
  return receiver.depositErc20V2(currency, amount, second, signature, coSignature);
}

/** The one reason that the lens gives, as the receiver's ABI decodes it. */
async function onlyReason(
  { stage, currency }: Scene,
  version: Version,
  { record, signature, coSignature }: Terms,
  depositor: Addressable = stage.depositor,
) {
  const lens = await ethers.deployContract("ManagedReceiverLens");
  const payment = { depositor, currency, amount: AMOUNT };
  const [first, second] = [record as ManagedTerms["record"], record as ManagedTermsV2["record"]];
  const reasons =
    version === 1
      ? await lens.validate(stage.receiver, payment, first, signature, coSignature)
      : await lens.validateV2(stage.receiver, payment, second, signature, coSignature);
  expect(reasons).to.have.lengthOf(1);
  return stage.receiver.interface.parseError(reasons[0] ?? "0x");
}

for (const version of [1, 2] as const) {
  for (const kind of ["native", "token"] as const) {
    describe(`ManagedReceiver, paid in ${kind} currency under a record of version ${version}`, () => {
      const changes: [string, string, object, (scene: Scene) => Promise<unknown[]>][] = [
        [
          "names another origin chain",
          "RecordForOtherChain",
          { originChainId: 1n },
          async () => [1n, 31_337n],
        ],
        [
          "names the solver as its user",
          "OriginUserMismatch",
          { originUser: padded(solver.address) },
          async ({ stage }) => [padded(solver.address), padded(await stage.receiver.getAddress())],
        ],
        [
          "names another currency",
          "CurrencyMismatch",
          { originCurrency: padded(solver.address) },
          async ({ currency }) => [padded(solver.address), padded(currency)],
        ],
        [
          "names a chain the recipient is not listed for",
          "RecipientNotAllowed",
          { destinationChainId: DESTINATION_CHAIN_ID + 1n },
          async ({ stage }) => [DESTINATION_CHAIN_ID + 1n, padded(stage.recipient)],
        ],
        [
          "names a recipient who is not listed",
          "RecipientNotAllowed",
          { destinationUser: padded(solver.address) },
          async () => [DESTINATION_CHAIN_ID, padded(solver.address)],
        ],
      ];
      for (const [what, error, change, args] of changes) {
        // @spec signature/recipients
        it(`rejects a signed record that ${what}, as the lens reports beforehand`, async () => {
          const { [kind]: scene } = await networkHelpers.loadFixture(boundToReceiver);
          const terms = await termsOf(scene, version, change);
          const expected = await args(scene);
          await expect(pay(scene, version, terms))
            .to.be.revertedWithCustomError(scene.stage.receiver, error)
            .withArgs(...expected);
          const reason = await onlyReason(scene, version, terms);
          expect([reason?.name, reason?.args.toArray()]).to.deep.equal([error, expected]);
        });
      }

      it("bound to the caller: rejects a caller that the record does not name, and accepts the named one", async () => {
        const { [kind]: scene } = await networkHelpers.loadFixture(boundToCaller);
        const { depositor, receiver, stranger } = scene.stage;
        const terms = await termsOf(scene, version);
        const expected = [padded(depositor.address), padded(stranger.address)];
        await expect(pay(scene, version, terms, AMOUNT, stranger))
          .to.be.revertedWithCustomError(receiver, "OriginUserMismatch")
          .withArgs(...expected);
        const reason = await onlyReason(scene, version, terms, stranger);
        expect([reason?.name, reason?.args.toArray()]).to.deep.equal(["OriginUserMismatch", expected]);
        await pay(scene, version, terms);
      });

      it("bound to the caller: rejects a record that names the receiver", async () => {
        const { [kind]: scene } = await networkHelpers.loadFixture(boundToCaller);
        const self = padded(await scene.stage.receiver.getAddress());
        const terms = await termsOf(scene, version, { originUser: self });
        await expect(pay(scene, version, terms))
          .to.be.revertedWithCustomError(scene.stage.receiver, "OriginUserMismatch")
          .withArgs(self, padded(scene.stage.depositor.address));
      });

      it("rejects a zero amount, even a co-signed one", async () => {
        const { [kind]: scene } = await networkHelpers.loadFixture(boundToReceiver);
        const terms = await termsOf(scene, version, version === 1 ? { originAmount: 0n } : {});
        const nothing = { ...(version === 2 ? { amount: 0n } : {}) };
        const coSignature = await coSign(scene.stage, coSigner, terms.record.requestId, nothing);
        await expect(pay(scene, version, { ...terms, coSignature }, 0n)).to.be.revertedWithCustomError(
          scene.stage.receiver,
          "AmountIsZero",
        );
      });

      it("rejects the zero recipient while the list is open, and accepts any other", async () => {
        const { [kind]: scene } = await networkHelpers.loadFixture(boundToReceiver);
        await scene.stage.receiver.setRecipientListOpen(true);
        const zero = await termsOf(scene, version, { destinationUser: padded(ZeroAddress) });
        await expect(pay(scene, version, zero)).to.be.revertedWithCustomError(
          scene.stage.receiver,
          version === 1 ? "RecipientNotAllowed" : "RecordOfOtherVersion",
        );
        await pay(scene, version, await termsOf(scene, version, { destinationUser: requestIdOf(9) }));
      });

      if (version === 2) {
        it("accepts a version 2 record for exactly the co-signed amount", async () => {
          const { [kind]: scene } = await networkHelpers.loadFixture(boundToReceiver);
          const terms = await termsOf(scene, version);
          for (const amount of [AMOUNT - 1n, AMOUNT + 1n]) {
            const refused = pay(scene, version, terms, amount);
            await expect(refused).to.be.revertedWithCustomError(scene.stage.receiver, "NotCoSigned");
          }
          await pay(scene, version, terms);
        });
      }

      // @spec signature/unpaid signature/expiry
      it("accepts a payment once, until the last second of the deadline", async () => {
        const { [kind]: scene } = await networkHelpers.loadFixture(boundToReceiver);
        const { receiver } = scene.stage;
        const terms = await termsOf(scene, version);
        const { deadline } = terms.coSignature;
        await networkHelpers.time.setNextBlockTimestamp(deadline);
        await pay(scene, version, terms);
        await networkHelpers.time.setNextBlockTimestamp(deadline + 1n);
        await expect(pay(scene, version, terms))
          .to.be.revertedWithCustomError(receiver, "DepositExpired")
          .withArgs(deadline, deadline + 1n);
        const again = await termsOf(scene, version);
        await expect(pay(scene, version, again))
          .to.be.revertedWithCustomError(receiver, "RequestAlreadyConsumed")
          .withArgs(again.record.requestId);
      });
    });
  }
}

describe("ManagedReceiver, paid under a record of version 2", () => {
  it("rejects another destination currency than the signed one", async () => {
    const { native } = await networkHelpers.loadFixture(boundToReceiver);
    const terms = await termsOf(native, 2);
    const record = { ...terms.record, destinationCurrency: padded(solver.address) };
    await expect(pay(native, 2, { ...terms, record })).to.be.revertedWithCustomError(
      native.stage.receiver,
      "SignerNotSolver",
    );
  });

  it("rejects every amount without a co-signer", async () => {
    const { native } = await networkHelpers.loadFixture(boundToReceiver);
    await native.stage.receiver.setCoSigner(ZeroAddress);
    await expect(pay(native, 2, await termsOf(native, 2))).to.be.revertedWithCustomError(
      native.stage.receiver,
      "CoSignerNotSet",
    );
  });
});
