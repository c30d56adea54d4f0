import { expect } from "chai";
import { network } from "hardhat";
import {
  flattenCalls,
  onlyCallTo,
  ownGas,
  traceCalls,
  traceLatest,
} from "../../helpers/contracts/callTrace.ts";
import {
  Binding,
  DESTINATION_CHAIN_ID,
  deployReceiverStage,
  depositNative,
  type ReceiverStage,
  type SignedTerms,
  signTerms,
  solver,
} from "../../helpers/contracts/receiverStage.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 700n;
const BOMB_BYTES = 200_000n;
/** What a deposit costs without the calls it makes is below this; copying the bomb would alone cost 113,000. */
const OWN_GAS_LIMIT = 75_000;
const MAX_REASON_BYTES = 1024;

/** Expects the deposit to be refused with `reason` from the payee, and nothing to have happened. */
async function expectPayeeRejection(stage: ReceiverStage, terms: SignedTerms, reason: string) {
  const payee = await stage.receiver.nativePayee();
  const before = await ethers.provider.getBalance(payee);
  await expect(depositNative(stage, terms, AMOUNT))
    .to.be.revertedWithCustomError(stage.receiver, "PayeeRejectedNative")
    .withArgs(payee, AMOUNT, reason);
  expect(await ethers.provider.getBalance(payee)).to.equal(before);
  expect(await stage.receiver.isConsumed(terms.requestId)).to.equal(false);
}

describe("PinnedReceiver.deposit", () => {
  async function toSolver() {
    return deployReceiverStage(ethers);
  }

  it("pays the solver exactly and logs who paid what for which request", async () => {
    const stage = await networkHelpers.loadFixture(toSolver);
    const terms = await signTerms(stage, AMOUNT);
    const sending = depositNative(stage, terms, AMOUNT);
    await expect(sending)
      .to.emit(stage.receiver, "NativeDeposited")
      .withArgs(terms.requestId, stage.depositor.address, AMOUNT);
    await expect(sending).to.changeEtherBalances(
      ethers,
      [stage.depositor, stage.receiver, solver],
      [-AMOUNT, 0n, AMOUNT],
    );
    expect(await stage.receiver.isConsumed(terms.requestId)).to.equal(true);
  });

  it("forwards the money with the requestId as the whole calldata", async () => {
    const stage = await networkHelpers.loadFixture(toSolver);
    const terms = await signTerms(stage, AMOUNT);
    const { hash } = await depositNative(stage, terms, AMOUNT);
    const forward = onlyCallTo(await traceCalls(ethers, hash), "CALL", solver.address);
    expect(forward.input).to.equal(terms.requestId);
    expect(BigInt(forward.value ?? 0)).to.equal(AMOUNT);
  });

  it("makes no outside call but the recovery and the one payment", async () => {
    const stage = await networkHelpers.loadFixture(toSolver);
    const { hash } = await depositNative(stage, await signTerms(stage, AMOUNT), AMOUNT);
    const calls = flattenCalls(await traceCalls(ethers, hash)).slice(1);
    expect(calls.filter(({ type }) => type === "CALL")).to.have.lengthOf(1);
    expect(calls.filter(({ type }) => type !== "CALL" && type !== "STATICCALL")).to.be.empty;
  });

  it("accepts a record that names the caller when bound to its callers", async () => {
    const stage = await deployReceiverStage(ethers, solver.address, Binding.Caller);
    const terms = await signTerms(stage, AMOUNT);
    await expect(depositNative(stage, terms, AMOUNT)).to.changeEtherBalance(ethers, solver, AMOUNT);
  });

  it("pays through the service's receiver, which logs the requestId", async () => {
    const relayReceiver = await ethers.deployContract("RelayReceiver", [solver.address]);
    const stage = await deployReceiverStage(ethers, relayReceiver);
    const terms = await signTerms(stage, AMOUNT);
    const sending = depositNative(stage, terms, AMOUNT);
    await expect(sending).to.emit(relayReceiver, "FundsForwardedWithData").withArgs(terms.requestId);
    await expect(sending).to.changeEtherBalances(ethers, [relayReceiver, solver], [0n, AMOUNT]);
  });

  it("is not disturbed by ether that was forced upon it, and keeps that apart", async () => {
    const stage = await networkHelpers.loadFixture(toSolver);
    await networkHelpers.setBalance(await stage.receiver.getAddress(), 5n);
    const terms = await signTerms(stage, AMOUNT);
    await expect(depositNative(stage, terms, AMOUNT)).to.changeEtherBalances(
      ethers,
      [stage.receiver, solver],
      [0n, AMOUNT],
    );
  });

  it("keeps the inner reason when the payee rejects ether", async () => {
    const payee = await ethers.deployContract("RejectingRecipient");
    const stage = await deployReceiverStage(ethers, payee);
    const reason = payee.interface.encodeErrorResult("Rejected", [AMOUNT]);
    await expectPayeeRejection(stage, await signTerms(stage, AMOUNT), reason);
  });

  it("cuts the reason of a payee that reverts with a huge buffer", async () => {
    const bomb = await ethers.deployContract("ReturndataBomb", [BOMB_BYTES, true]);
    const stage = await deployReceiverStage(ethers, bomb);
    await expectPayeeRejection(
      stage,
      await signTerms(stage, AMOUNT),
      ethers.hexlify(new Uint8Array(MAX_REASON_BYTES)),
    );
  });

  for (const reverts of [true, false]) {
    it(`pays nothing for the answer of a payee that ${reverts ? "reverts" : "returns"} with a huge buffer`, async () => {
      const bomb = await ethers.deployContract("ReturndataBomb", [BOMB_BYTES, reverts]);
      const stage = await deployReceiverStage(ethers, bomb);
      const terms = await signTerms(stage, AMOUNT);
      await depositNative(stage, terms, AMOUNT, { gasLimit: 2_000_000n }).catch(() => undefined);
      const trace = await traceLatest(ethers, await stage.receiver.getAddress());
      expect(Number(ownGas(trace))).to.be.below(OWN_GAS_LIMIT);
      expect(await stage.receiver.isConsumed(terms.requestId)).to.equal(!reverts);
    });
  }

  it("does not consume the id when a gas-hungry payee runs out, and accepts with enough gas", async () => {
    const burner = await ethers.deployContract("GasBurningRecipient", [300_000n]);
    const stage = await deployReceiverStage(ethers, burner);
    const terms = await signTerms(stage, AMOUNT);
    await expect(depositNative(stage, terms, AMOUNT, { gasLimit: 200_000n })).to.revert(ethers);
    expect(await stage.receiver.isConsumed(terms.requestId)).to.equal(false);

    await expect(depositNative(stage, terms, AMOUNT, { gasLimit: 600_000n })).to.changeEtherBalance(
      ethers,
      burner,
      AMOUNT,
    );
  });

  it("has consumed the id before a payee can call back with the same payment", async () => {
    const payee = await ethers.deployContract("ReentrantTarget");
    const stage = await deployReceiverStage(ethers, payee);
    const terms = await signTerms(stage, AMOUNT);
    const again = stage.receiver.interface.encodeFunctionData("depositErc20", [
      await payee.getAddress(),
      AMOUNT,
      terms.requestId,
      DESTINATION_CHAIN_ID,
      terms.destinationUser,
      terms.signature,
    ]);
    await payee.arm(stage.receiver, again);

    await expect(depositNative(stage, terms, AMOUNT)).to.changeEtherBalance(ethers, payee, AMOUNT);

    expect(await payee.fired()).to.equal(1n);
    expect(await payee.lastSuccess()).to.equal(false);
    expect(await payee.lastReturnData()).to.equal(
      stage.receiver.interface.encodeErrorResult("RequestAlreadyConsumed", [terms.requestId]),
    );
  });
});
