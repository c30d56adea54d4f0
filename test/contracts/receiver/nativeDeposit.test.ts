import { expect } from "chai";
import { network } from "hardhat";
import { flattenCalls, onlyCallTo, traceCalls } from "../../helpers/contracts/callTrace.ts";
import {
  Binding,
  deployReceiverStage,
  depositNative,
  signTerms,
  solver,
} from "../../helpers/contracts/receiverStage.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 700n;

// Payees that reject, burn gas, call back or answer with megabytes are met in `adversariesPinned.test.ts`.
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
});
