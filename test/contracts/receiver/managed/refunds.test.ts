import { expect } from "chai";
import { ZeroAddress } from "ethers";
import hre, { network } from "hardhat";
import { deployManagedStage } from "../../../helpers/contracts/managedStage.ts";
import { deposit, signTerms, solver } from "../../../helpers/contracts/receiverStage.ts";

const { ethers, networkHelpers } = await network.create();

const REFUND = 400_000n;

/** A request that the depositor has paid for. */
async function paid() {
  const stage = await deployManagedStage(ethers);
  const terms = await signTerms(stage);
  await deposit(stage, terms);
  const asSolver = await ethers.getImpersonatedSigner(solver.address);
  return { stage, requestId: terms.record.requestId, asSolver };
}

// Awkward tokens and payees are tested in `../adversaries.test.ts`.
describe("ManagedReceiver and money that comes back", () => {
  it("credits a native refund in the service's form, and pays it to the depositor", async () => {
    const { stage, requestId, asSolver } = await networkHelpers.loadFixture(paid);
    await expect(asSolver.sendTransaction({ to: stage.receiver, value: REFUND, data: requestId }))
      .to.emit(stage.receiver, "RefundCredited")
      .withArgs(requestId, stage.depositor.address, ZeroAddress, REFUND);
    const withdrawing = stage.receiver
      .connect(stage.depositor)
      .withdrawRefund(requestId, ZeroAddress, stage.recipient, REFUND);
    await expect(withdrawing)
      .to.emit(stage.receiver, "RefundWithdrawn")
      .withArgs(requestId, stage.recipient, ZeroAddress, REFUND);
    await expect(withdrawing).to.changeEtherBalance(ethers, stage.recipient, REFUND);
  });

  it("credits and pays out refunds while deposits are paused", async () => {
    const { stage, requestId, asSolver } = await networkHelpers.loadFixture(paid);
    await stage.receiver.setPaused(true);
    await asSolver.sendTransaction({ to: stage.receiver, value: REFUND, data: requestId });
    await expect(
      stage.receiver.connect(stage.depositor).withdrawRefund(requestId, ZeroAddress, stage.depositor, REFUND),
    ).to.changeEtherBalance(ethers, stage.depositor, REFUND);
  });

  it("returns a refund of an unknown request to the sender, by name", async () => {
    const { stage, asSolver } = await networkHelpers.loadFixture(paid);
    const unknown = ethers.id("unknown");
    await expect(asSolver.sendTransaction({ to: stage.receiver, value: REFUND, data: unknown }))
      .to.be.revertedWithCustomError(stage.receiver, "RequestNotConsumed")
      .withArgs(unknown);
  });

  it("keeps native money without an id for the owner to attribute or to rescue", async () => {
    const { stage, requestId, asSolver } = await networkHelpers.loadFixture(paid);
    await expect(asSolver.sendTransaction({ to: stage.receiver, value: 2n * REFUND }))
      .to.emit(stage.receiver, "UnattributedNativeReceived")
      .withArgs(solver.address, 2n * REFUND);
    await stage.receiver.creditRefund(requestId, ZeroAddress, REFUND);
    await expect(stage.receiver.rescue(ZeroAddress, stage.owner, REFUND + 1n))
      .to.be.revertedWithCustomError(stage.receiver, "ExceedsUncredited")
      .withArgs(ZeroAddress, REFUND + 1n, REFUND);
    const rescuing = stage.receiver.rescue(ZeroAddress, stage.stranger, REFUND);
    await expect(rescuing)
      .to.emit(stage.receiver, "Rescued")
      .withArgs(ZeroAddress, stage.stranger.address, REFUND);
    await expect(rescuing).to.changeEtherBalance(ethers, stage.stranger, REFUND);
    await expect(
      stage.receiver.connect(stage.depositor).withdrawRefund(requestId, ZeroAddress, stage.depositor, REFUND),
    ).to.changeEtherBalance(ethers, stage.depositor, REFUND);
  });

  it("accepts ether sent with no more gas than a transfer's stipend", async () => {
    const { stage, asSolver } = await networkHelpers.loadFixture(paid);
    const gas = await ethers.provider.estimateGas({ from: asSolver.address, to: stage.receiver, value: 1n });
    // Coverage instrumentation adds gas.
    if (!hre.globalOptions.coverage) expect(gas - 21_000n).to.be.at.most(2_300n);
  });

  it("a blocked depositor names another recipient, and delays no other depositor", async () => {
    const { stage, requestId } = await networkHelpers.loadFixture(paid);
    const token = await ethers.deployContract("BlocklistToken");
    await token.mint(stage.receiver, REFUND);
    await stage.receiver.creditRefund(requestId, token, REFUND);
    await token.setBlocked(stage.depositor, true);
    const withdraw = (recipient: string) =>
      stage.receiver.connect(stage.depositor).withdrawRefund(requestId, token, recipient, REFUND);
    await expect(withdraw(stage.depositor.address))
      .to.be.revertedWithCustomError(stage.receiver, "TokenTransferFailed")
      .withArgs(
        await token.getAddress(),
        token.interface.encodeErrorResult("AccountBlocked", [stage.depositor.address]),
      );
    await withdraw(stage.recipient);
    expect(await token.balanceOf(stage.recipient)).to.equal(REFUND);
  });
});
