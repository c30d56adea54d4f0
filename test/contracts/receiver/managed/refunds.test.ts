import { expect } from "chai";
import { type BaseContract, ZeroAddress } from "ethers";
import hre, { network } from "hardhat";
import { reentrancyReason } from "../../../helpers/contracts/libraryErrors.ts";
import {
  AMOUNT,
  deployManagedStage,
  deposit,
  isCut,
  managedTerms,
} from "../../../helpers/contracts/managedStage.ts";
import { solver } from "../../../helpers/contracts/receiverStage.ts";
import { deployToken, type TestToken, wellPayingTokens } from "../../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

const REFUND = 400_000n;

/** A request that the depositor has paid for. */
async function paid() {
  const stage = await deployManagedStage(ethers);
  const terms = await managedTerms(stage);
  await deposit(stage, terms);
  const asSolver = await ethers.getImpersonatedSigner(solver.address);
  return { stage, requestId: terms.record.requestId, asSolver };
}

type Paid = Awaited<ReturnType<typeof paid>>;

/** Makes `token` come back as the service sends it, and the owner attribute it. */
async function refundToken({ stage, requestId }: Paid, token: BaseContract): Promise<void> {
  await (token as TestToken).mint(stage.receiver, REFUND);
  await stage.receiver.creditRefund(requestId, token, REFUND);
}

describe("ManagedReceiver and money that comes back", () => {
  it("credits a native refund as the service sends it, and gives it to the depositor", async () => {
    const { stage, requestId, asSolver } = await networkHelpers.loadFixture(paid);
    await expect(asSolver.sendTransaction({ to: stage.receiver, value: REFUND, data: requestId }))
      .to.emit(stage.receiver, "RefundCredited")
      .withArgs(requestId, stage.depositor.address, ZeroAddress, REFUND);
    const withdrawing = stage.receiver
      .connect(stage.depositor)
      .withdrawRefund(requestId, ZeroAddress, stage.recipient);
    await expect(withdrawing)
      .to.emit(stage.receiver, "RefundWithdrawn")
      .withArgs(requestId, stage.recipient, ZeroAddress, REFUND);
    await expect(withdrawing).to.changeEtherBalance(ethers, stage.recipient, REFUND);
  });

  it("credits and pays out while deposits are paused", async () => {
    const { stage, requestId, asSolver } = await networkHelpers.loadFixture(paid);
    await stage.receiver.setPaused(true);
    await asSolver.sendTransaction({ to: stage.receiver, value: REFUND, data: requestId });
    await expect(
      stage.receiver.connect(stage.depositor).withdrawRefund(requestId, ZeroAddress, stage.depositor),
    ).to.changeEtherBalance(ethers, stage.depositor, REFUND);
  });

  it("turns a refund of a request it does not know back to the sender, by name", async () => {
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
      stage.receiver.connect(stage.depositor).withdrawRefund(requestId, ZeroAddress, stage.depositor),
    ).to.changeEtherBalance(ethers, stage.depositor, REFUND);
  });

  it("takes ether from those who give no more than a transfer's stipend", async () => {
    const { stage, asSolver } = await networkHelpers.loadFixture(paid);
    const gas = await ethers.provider.estimateGas({ from: asSolver.address, to: stage.receiver, value: 1n });
    // Coverage has costs of its own.
    if (!hre.globalOptions.coverage) expect(gas - 21_000n).to.be.at.most(2_300n);
  });

  for (const name of wellPayingTokens) {
    it(`credits ${name} and gives exactly it to whom the depositor names`, async () => {
      const ready = await networkHelpers.loadFixture(paid);
      const { stage, requestId } = ready;
      const token = await deployToken(ethers, name);
      await refundToken(ready, token);
      await stage.receiver.connect(stage.depositor).withdrawRefund(requestId, token, stage.recipient);
      expect(await token.balanceOf(stage.recipient)).to.equal(REFUND);
      expect(await token.balanceOf(stage.receiver)).to.equal(0n);
    });

    it(`accepts a refund in ${name} by requestId from any account`, async () => {
      const { stage, requestId } = await networkHelpers.loadFixture(paid);
      const token = await deployToken(ethers, name);
      await token.mint(stage.stranger.address, REFUND);
      await token.connect(stage.stranger).approve(stage.receiver, REFUND);
      await stage.receiver.connect(stage.stranger).refundErc20(requestId, token, REFUND);
      expect(await stage.receiver.creditOf(requestId, token)).to.equal(REFUND);
    });
  }

  it("credits what arrives of a token that takes a fee", async () => {
    const { stage, requestId } = await networkHelpers.loadFixture(paid);
    const token = await ethers.deployContract("FeeOnTransferToken", [100]);
    await token.mint(stage.stranger, REFUND);
    await token.connect(stage.stranger).approve(stage.receiver, REFUND);
    await stage.receiver.connect(stage.stranger).refundErc20(requestId, token, REFUND);
    const arrived = (REFUND * 99n) / 100n;
    expect(await stage.receiver.creditOf(requestId, token)).to.equal(arrived);
    expect(await stage.receiver.uncredited(token)).to.equal(0n);
  });

  it("lets a blocked depositor name another recipient, without delay for other depositors", async () => {
    const ready = await networkHelpers.loadFixture(paid);
    const { stage, requestId } = ready;
    const token = await ethers.deployContract("BlocklistToken");
    await refundToken(ready, token);
    await token.setBlocked(stage.depositor, true);
    const withdraw = (recipient: string) =>
      stage.receiver.connect(stage.depositor).withdrawRefund(requestId, token, recipient);
    await expect(withdraw(stage.depositor.address))
      .to.be.revertedWithCustomError(stage.receiver, "TokenTransferFailed")
      .withArgs(
        await token.getAddress(),
        token.interface.encodeErrorResult("AccountBlocked", [stage.depositor.address]),
      );
    await withdraw(stage.recipient);
    expect(await token.balanceOf(stage.recipient)).to.equal(REFUND);
  });

  it("pays nothing out when the token returns false, and keeps the credit", async () => {
    const ready = await networkHelpers.loadFixture(paid);
    const { stage, requestId } = ready;
    const token = await ethers.deployContract("ReturnsFalseToken");
    await refundToken(ready, token);
    await expect(stage.receiver.connect(stage.depositor).withdrawRefund(requestId, token, stage.recipient))
      .to.be.revertedWithCustomError(stage.receiver, "TokenTransferFailed")
      .withArgs(await token.getAddress(), ethers.ZeroHash);
    expect(await stage.receiver.creditOf(requestId, token)).to.equal(REFUND);
  });

  it("cuts the answer of a token that returns a huge buffer, and refuses what is no token", async () => {
    const { stage } = await networkHelpers.loadFixture(paid);
    const bomb = await ethers.deployContract("ReturndataBomb", [200_000n, false]);
    await expect(stage.receiver.rescue(bomb, stage.stranger, 0n))
      .to.be.revertedWithCustomError(stage.receiver, "TokenTransferFailed")
      .withArgs(await bomb.getAddress(), isCut);
    await bomb.configure(31n, false);
    await expect(stage.receiver.uncredited(bomb))
      .to.be.revertedWithCustomError(stage.receiver, "TokenReadFailed")
      .withArgs(await bomb.getAddress());
  });

  it("lets a token that calls back withdraw nothing twice", async () => {
    const ready = await networkHelpers.loadFixture(paid);
    const { stage, requestId } = ready;
    const token = await ethers.deployContract("ReentrantToken");
    await refundToken(ready, token);
    const again = stage.receiver.interface.encodeFunctionData("withdrawRefund", [
      requestId,
      await token.getAddress(),
      stage.recipient,
    ]);
    await token.arm(stage.receiver, again);
    await stage.receiver.connect(stage.depositor).withdrawRefund(requestId, token, stage.recipient);
    expect(await token.fired()).to.equal(1n);
    expect(await token.lastReturnData()).to.equal(reentrancyReason());
    expect(await token.balanceOf(stage.recipient)).to.equal(REFUND);
  });

  it("lets a recipient that calls back withdraw nothing twice", async () => {
    const stage = await deployManagedStage(ethers);
    const target = await ethers.deployContract("ReentrantTarget");
    const targetAddress = await target.getAddress();
    const asTarget = await ethers.getImpersonatedSigner(targetAddress);
    await networkHelpers.setBalance(targetAddress, 10n ** 18n);
    const terms = await managedTerms(stage);
    const { record, signature, coSignature } = terms;
    await stage.receiver.connect(asTarget).depositNative(record, signature, coSignature, { value: AMOUNT });
    const asSolver = await ethers.getImpersonatedSigner(solver.address);
    await asSolver.sendTransaction({ to: stage.receiver, value: REFUND, data: record.requestId });
    await asSolver.sendTransaction({ to: stage.receiver, value: REFUND });

    const args: [string, string, string] = [record.requestId, ZeroAddress, targetAddress];
    await target.arm(stage.receiver, stage.receiver.interface.encodeFunctionData("withdrawRefund", args));
    await expect(stage.receiver.connect(asTarget).withdrawRefund(...args)).to.changeEtherBalance(
      ethers,
      stage.receiver,
      -REFUND,
    );
    expect(await target.fired()).to.equal(1n);
    expect(await target.lastReturnData()).to.equal(reentrancyReason());
    expect(await stage.receiver.uncredited(ZeroAddress)).to.equal(REFUND);
  });
});
