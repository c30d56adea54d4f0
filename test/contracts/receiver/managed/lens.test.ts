import { expect } from "chai";
import { type Addressable, dataSlice, ZeroAddress, ZeroHash } from "ethers";
import { network } from "hardhat";
import {
  accept,
  deployManagedStage,
  type ManagedStage,
  reasonNames,
  reasonsOf,
} from "../../../helpers/contracts/managedStage.ts";
import {
  AMOUNT,
  Binding,
  DESTINATION_CHAIN_ID,
  deployPinnedStage,
  deposit,
  depositErc20,
  signTerms,
  solver,
} from "../../../helpers/contracts/receiverStage.ts";
import { padded, type RecordFields } from "../../../helpers/contracts/signedRecord.ts";
import { deployToken } from "../../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

const ELSEWHERE = padded(solver.address);

async function stageOnly() {
  return deployManagedStage(ethers);
}
async function boundToCaller() {
  return deployManagedStage(ethers, { binding: Binding.Caller });
}

describe("ManagedReceiverLens.validate", () => {
  interface Fault {
    readonly what: string;
    readonly record: Partial<RecordFields>;
    readonly reason: string;
    /** The deposit's error, where it is another: a receiver rebuilds the record from the payment. */
    readonly error?: string;
    args(stage: ManagedStage): Promise<readonly unknown[]>;
  }
  const rebuilt = { error: "SignerNotSolver" };
  const faults: readonly Fault[] = [
    {
      what: "names another origin chain",
      record: { originChainId: 1n },
      reason: "RecordForOtherChain",
      ...rebuilt,
      args: async () => [1n, 31_337n],
    },
    {
      what: "names the solver as its user",
      record: { originUser: ELSEWHERE },
      reason: "OriginUserMismatch",
      ...rebuilt,
      args: async ({ receiver }) => [ELSEWHERE, padded(await receiver.getAddress())],
    },
    {
      what: "names another currency",
      record: { originCurrency: ELSEWHERE },
      reason: "CurrencyMismatch",
      ...rebuilt,
      args: async () => [ELSEWHERE, padded(ZeroAddress)],
    },
    {
      what: "names a currency word that is no address",
      record: { originCurrency: `0x01${"00".repeat(31)}` },
      reason: "CurrencyMismatch",
      ...rebuilt,
      args: async () => [`0x01${"00".repeat(31)}`, padded(ZeroAddress)],
    },
    {
      what: "names another amount",
      record: { originAmount: AMOUNT + 1n },
      reason: "AmountMismatch",
      ...rebuilt,
      args: async () => [AMOUNT + 1n, AMOUNT],
    },
    {
      what: "names a chain the recipient is not listed for",
      record: { destinationChainId: DESTINATION_CHAIN_ID + 1n },
      reason: "RecipientNotAllowed",
      args: async ({ recipient }) => [DESTINATION_CHAIN_ID + 1n, padded(recipient)],
    },
    {
      what: "names a recipient who is not listed",
      record: { destinationUser: ELSEWHERE },
      reason: "RecipientNotAllowed",
      args: async () => [DESTINATION_CHAIN_ID, ELSEWHERE],
    },
  ];
  for (const { what, record, reason, error = reason, args } of faults) {
    it(`validate names the one fault of a signed record that ${what}, and the deposit reverts`, async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const terms = await signTerms(stage, { record });
      const reasons = await reasonsOf(stage, terms);
      const expected = await args(stage);
      expect(reasons.map(({ name, args: given }) => [name, given.toArray()])).to.deep.equal([
        [reason, expected],
      ]);
      const refused = expect(deposit(stage, terms, { value: AMOUNT })).to.be.revertedWithCustomError(
        stage.receiver,
        error,
      );
      await (error === reason ? refused.withArgs(...expected) : refused);
    });
  }

  it("validate names all faults of a payment at once, with values and limits", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const terms = await signTerms(stage, {
      record: { destinationUser: padded(stage.stranger.address) },
      lifetime: -1n,
    });
    await stage.receiver.setPaused(true);
    const limits = { currency: ZeroAddress, minimum: 10n ** 12n, maximum: 10n ** 15n };
    await stage.receiver.setCurrencyLimits(limits);
    const record = { ...terms.record, originChainId: 1n, originAmount: 5n };
    const reasons = await reasonsOf(stage, { ...terms, record });
    expect(reasons.map(({ name }) => name)).to.deep.equal([
      "RecordForOtherChain",
      "AmountMismatch",
      "SignerNotSolver",
      "RecipientNotAllowed",
      "DepositExpired",
      "DepositsPaused",
      "AmountBelowMinimum",
    ]);
    const values = [0, 1, 6].map((index) => reasons[index]?.args.toArray());
    expect(values).to.deep.equal([
      [1n, 31_337n],
      [5n, AMOUNT],
      [ZeroAddress, AMOUNT, 10n ** 12n],
    ]);
  });

  it("validate names a signature without the policies' data, as the deposit does", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const { record, signature } = await signTerms(stage);
    const cut = { record, signature: dataSlice(signature, 0, 65) };
    expect((await reasonNames(stage, cut))[0]).to.equal("PolicyDataMissing");
    await expect(deposit(stage, cut))
      .to.be.revertedWithCustomError(stage.receiver, "PolicyDataMissing")
      .withArgs(65n, 96n);
  });

  it("validate compares the record's user with the caller, where records are bound to it", async () => {
    const stage = await networkHelpers.loadFixture(boundToCaller);
    const { depositor, receiver, stranger } = stage;
    const terms = await signTerms(stage);
    const [reason, ...others] = await reasonsOf(stage, terms, { depositor: stranger });
    expect(others).to.deep.equal([]);
    expect([reason?.name, reason?.args.toArray()]).to.deep.equal([
      "OriginUserMismatch",
      [padded(depositor.address), padded(stranger.address)],
    ]);
    await expect(deposit(stage, terms, { from: stranger })).to.be.revertedWithCustomError(
      receiver,
      "SignerNotSolver",
    );
    expect(await reasonNames(stage, terms)).to.deep.equal([]);
    await deposit(stage, terms);
  });

  it("validate names an account that is no managed receiver, instead of reporting no reason", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const lens = await ethers.deployContract("ManagedReceiverLens");
    const { record, signature } = await signTerms(stage);
    const payment = { depositor: stage.depositor, currency: ZeroAddress, amount: AMOUNT };
    // No code, no such function, and every call accepted with an empty, a short and a long answer.
    const answers = [0n, 31n, 33n].map((size) => ethers.deployContract("ReturndataBomb", [size, false]));
    const token = await deployToken(ethers, "LocalToken");
    const others: Addressable[] = [stage.depositor, token, ...(await Promise.all(answers))];
    for (const other of others) {
      await expect(lens.validate(other, payment, record, signature))
        .to.be.revertedWithCustomError(lens, "NotManagedReceiver")
        .withArgs(await other.getAddress());
    }
  });

  it("validate gives reasons for a receiver of another kind, which has no policies to ask", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const { receiver } = await deployPinnedStage(ethers);
    const lens = await ethers.deployContract("ManagedReceiverLens");
    const { record, signature } = await signTerms(stage);
    const payment = { depositor: stage.depositor, currency: ZeroAddress, amount: AMOUNT };
    expect(await lens.validate(receiver, payment, record, signature)).to.not.have.lengthOf(0);
  });

  it("validate gives all seven reasons of its own, and one from each policy that it asks", async () => {
    const pinned = await deployPinnedStage(ethers);
    const lens = await ethers.deployContract("ManagedReceiverLens");
    const terms = await signTerms(pinned);
    await deposit(pinned, terms);
    const record = {
      ...terms.record,
      destinationChainId: 2n ** 64n,
      originChainId: 1n,
      originUser: ZeroHash,
    };
    const payment = { depositor: pinned.depositor, currency: lens, amount: 0n };
    // Each of the 32 policies that it asks for is a function that the pinned receiver has not.
    expect(await lens.validate(pinned.receiver, payment, record, terms.signature)).to.have.lengthOf(7 + 32);
  });

  it("validate gives no reason for a payment that the token rejects, because it does not call the token", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const token = await ethers.deployContract("BlocklistToken");
    await accept(stage, token);
    await token.setBlocked(solver.address, true);
    const terms = await signTerms(stage, { currency: token });
    expect(await reasonNames(stage, terms, { currency: token })).to.deep.equal([]);
    await expect(depositErc20(stage, terms)).to.be.revertedWithCustomError(
      stage.receiver,
      "TokenTransferFailed",
    );
  });
});
