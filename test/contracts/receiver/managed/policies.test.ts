import { expect } from "chai";
import { MaxUint256 } from "ethers";
import { network } from "hardhat";
import {
  balancesOf,
  pay,
  prepareManaged,
  type Sending,
  type TokenDeposit,
} from "../../../helpers/contracts/receiverKinds.ts";
import {
  AMOUNT,
  coSigner,
  DESTINATION_CHAIN_ID,
  deadlineOf,
  nextSolver,
  paymentOf,
  signTerms,
  solver,
  type TermsFields,
} from "../../../helpers/contracts/receiverStage.ts";
import { padded } from "../../../helpers/contracts/signedRecord.ts";
import { byPermit, type SignedWay, signedWays } from "../../../helpers/contracts/signedWays.ts";
import { deployToken } from "../../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

type Prepared = Awaited<ReturnType<typeof prepareManaged>>;

/** A way in for tokens, which all policies guard. */
interface Way {
  readonly name: string;
  prepare(): Promise<Prepared>;
  send(deposit: TokenDeposit, sending?: Sending): Promise<unknown>;
}

async function prepareWith(way?: SignedWay): Promise<Prepared> {
  const token = way === undefined ? deployToken(ethers, "LocalToken") : way.deployToken(ethers);
  const deposit = await prepareManaged(ethers, await token);
  if (way !== undefined) await way.approve(deposit);
  else await deposit.token.connect(deposit.stage.depositor).approve(deposit.stage.receiver, MaxUint256);
  return deposit;
}

const ways: readonly Way[] = [
  {
    name: "depositErc20",
    prepare: async () => prepareWith(),
    send: async (deposit, sending) => pay(deposit, "depositErc20", undefined, sending),
  },
  ...signedWays.map((way) => ({
    name: way.name,
    prepare: async () => prepareWith(way),
    send: async (deposit: TokenDeposit, sending?: Sending) =>
      pay(deposit, way.name, await way.sign(deposit), sending),
  })),
  {
    name: "depositAll",
    prepare: async () => prepareWith(),
    send: async ({ stage, terms }, { caller = stage.depositor, amount = AMOUNT } = {}) =>
      stage.receiver.connect(caller).depositAll([{ ...paymentOf(terms), amount }]),
  },
];

async function emptyChain() {}

async function changed(deposit: Prepared, fields: TermsFields): Promise<Prepared> {
  return { ...deposit, terms: await signTerms(deposit.stage, { currency: deposit.token, ...fields }) };
}

for (const { name, prepare, send } of ways) {
  // Rules for every kind of receiver are tested in the suites of the folder above.
  describe(`policies of ManagedReceiver.${name}`, () => {
    // Permit2 stores the nonces that a test has used.
    beforeEach(async () => {
      await networkHelpers.loadFixture(emptyChain);
    });

    async function expectRefused(
      deposit: Prepared,
      error: string,
      args: readonly unknown[] = [],
      sending?: Sending,
    ) {
      await expect(send(deposit, sending))
        .to.be.revertedWithCustomError(deposit.stage.receiver, error)
        .withArgs(...args);
      expect(await balancesOf(deposit)).to.deep.equal([2n * AMOUNT, 0n, 0n]);
      expect(await deposit.stage.receiver.depositorOf(deposit.terms.record.requestId)).to.equal(
        ethers.ZeroAddress,
      );
    }

    // @spec signature/amount
    it("rejects an amount one unit off the signed one", async () => {
      const deposit = await prepare();
      const isOther = (signer: string) => signer !== solver.address;
      for (const amount of [AMOUNT - 1n, AMOUNT + 1n]) {
        await expectRefused(deposit, "SignerNotSolver", [isOther], { amount });
      }
    });

    // @spec signature/unpaid signature/expiry
    it("accepts a payment once, until the last second of the deadline", async () => {
      const deposit = await changed(await prepare(), { lifetime: 600n });
      const late = await changed(deposit, { lifetime: 600n, requestNumber: 2 });
      const { receiver } = deposit.stage;
      const deadline = deadlineOf(deposit.terms);
      await networkHelpers.time.setNextBlockTimestamp(deadline);
      await send(deposit);
      await expect(send(await changed(deposit, {})))
        .to.be.revertedWithCustomError(receiver, "RequestAlreadyConsumed")
        .withArgs(deposit.terms.record.requestId);
      await networkHelpers.time.setNextBlockTimestamp(deadline + 1n);
      await expect(send(late))
        .to.be.revertedWithCustomError(receiver, "DepositExpired")
        .withArgs(deadline, deadline + 1n);
    });

    it("rejects deposits while paused, and accepts the same ones afterwards", async () => {
      const deposit = await prepare();
      await deposit.stage.receiver.setPaused(true);
      await expectRefused(deposit, "DepositsPaused");
      await deposit.stage.receiver.setPaused(false);
      await send(deposit);
      expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });

    // @spec signature/recipients
    it("rejects a signer outside the set, a deadline of another key, and a recipient outside the list", async () => {
      const deposit = await prepare();
      const destinationUser = padded(deposit.stage.stranger.address);
      const refusals: readonly [TermsFields, string, readonly unknown[]][] = [
        [{ signer: nextSolver }, "SignerNotSolver", [nextSolver.address]],
        [{ coSigner: nextSolver }, "NotCoSigned", [nextSolver.address, coSigner.address]],
        [{ record: { destinationUser } }, "RecipientNotAllowed", [DESTINATION_CHAIN_ID, destinationUser]],
      ];
      for (const [fields, error, args] of refusals) {
        await expectRefused(await changed(deposit, fields), error, args);
      }
    });

    it("rejects an amount below the limits, and a record of version 2", async () => {
      const deposit = await prepare();
      const { stage, token } = deposit;
      const word = 2n ** 64n;
      const confused = await changed(deposit, { record: { destinationChainId: word } });
      await expectRefused(confused, "RecordOfOtherVersion", [word, word - 1n]);
      const minimum = AMOUNT + 1n;
      await stage.receiver.setCurrencyLimits({ currency: token, minimum, maximum: minimum });
      await expectRefused(deposit, "AmountBelowMinimum", [await token.getAddress(), AMOUNT, minimum]);
    });

    it("credits refunds to the owner of the tokens, who withdraws them in parts", async () => {
      const deposit = await prepare();
      const { stage, terms, token } = deposit;
      const { depositor, receiver, stranger } = stage;
      const { requestId } = terms.record;
      // A relayer may submit only a signature that names the request.
      const isRelayed = name !== "depositAll" && name !== "depositErc20" && name !== byPermit.name;
      await send(deposit, isRelayed ? { caller: stranger } : {});
      expect(await receiver.depositorOf(requestId)).to.equal(depositor.address);
      const refunder = solver.connect(ethers.provider);
      await networkHelpers.setBalance(solver.address, 10n ** 18n);
      await token.connect(refunder).approve(receiver, AMOUNT);
      await receiver.connect(refunder).refundErc20(requestId, token, AMOUNT);
      await expect(receiver.connect(stranger).withdrawRefund(requestId, token, stranger.address, 1n))
        .to.be.revertedWithCustomError(receiver, "CallerNotDepositor")
        .withArgs(stranger.address, depositor.address);
      const withdraw = async (amount: bigint) =>
        receiver.connect(depositor).withdrawRefund(requestId, token, depositor.address, amount);
      await withdraw(1n);
      await expect(withdraw(AMOUNT))
        .to.be.revertedWithCustomError(receiver, "ExceedsCredit")
        .withArgs(requestId, await token.getAddress(), AMOUNT, AMOUNT - 1n);
      await withdraw(AMOUNT - 1n);
      expect(await balancesOf(deposit)).to.deep.equal([2n * AMOUNT, 0n, 0n]);
    });
  });
}
