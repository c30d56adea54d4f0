import { expect } from "chai";
import { network } from "hardhat";

const { ethers } = await network.create();

const [holder, other] = await ethers.getSigners();
if (!holder || !other) throw new Error("The local chain has too few accounts.");

describe("the awkward tokens", () => {
  it("ReturnsFalseToken returns false and moves nothing, function by function", async () => {
    const token = await ethers.deployContract("ReturnsFalseToken");
    await token.mint(holder, 10n);
    expect(await token.transfer.staticCall(other, 1n)).to.equal(false);
    expect(await token.transferFrom.staticCall(holder, other, 1n)).to.equal(false);
    expect(await token.approve.staticCall(other, 1n)).to.equal(false);
    await expect(token.transfer(other, 1n)).to.changeTokenBalance(ethers, token, other, 0n);

    await token.setRefusals(true, false, false);
    await token.approve(other, 1n);
    await expect(token.connect(other).transferFrom(holder, other, 1n)).to.changeTokenBalance(
      ethers,
      token,
      other,
      1n,
    );
    expect(await token.transfer.staticCall(other, 1n)).to.equal(false);
  });

  it("FeeOnTransferToken burns its fee and rejects a fee above 100 percent", async () => {
    const token = await ethers.deployContract("FeeOnTransferToken", [100n]);
    await token.mint(holder, 10_000n);
    await expect(token.transfer(other, 10_000n)).to.changeTokenBalances(
      ethers,
      token,
      [holder, other],
      [-10_000n, 9_900n],
    );
    expect(await token.totalSupply()).to.equal(9_900n);
    await expect(ethers.deployContract("FeeOnTransferToken", [10_001n]))
      .to.be.revertedWithCustomError(token, "FeeTooHigh")
      .withArgs(10_001n, 10_000n);
  });

  it("ReentrantToken calls back once per arming, before balances change, and records the outcome", async () => {
    const token = await ethers.deployContract("ReentrantToken");
    await token.mint(holder, 10n);
    await token.approve(other, 10n);
    const question = token.interface.encodeFunctionData("balanceOf", [holder.address]);
    await token.arm(token, question);
    await token.connect(other).transferFrom(holder, other, 4n);
    await token.connect(other).transferFrom(holder, other, 4n);
    expect([await token.fired(), await token.lastSuccess(), await token.lastReturnData()]).to.deep.equal([
      1n,
      true,
      ethers.toBeHex(10n, 32),
    ]);

    await token.arm(token, "0xdeadbeef");
    await expect(token.transfer(other, 2n)).to.changeTokenBalance(ethers, token, other, 2n);
    expect(await token.lastSuccess()).to.equal(false);
  });

  it("NoReturnToken returns nothing and works", async () => {
    const token = await ethers.deployContract("NoReturnToken");
    await token.mint(holder, 10n);
    const data = token.interface.encodeFunctionData("transfer", [other.address, 4n]);
    expect(await holder.call({ to: token, data })).to.equal("0x");
    await expect(token.transfer(other, 4n)).to.changeTokenBalances(ethers, token, [holder, other], [-4n, 4n]);
    await expect(token.connect(other).transferFrom(holder, other, 1n)).to.be.revertedWithPanic(0x11);
    await expect(token.transfer(other, 7n)).to.be.revertedWithPanic(0x11);
  });

  it("BlocklistToken names the blocked account, sender or recipient", async () => {
    const token = await ethers.deployContract("BlocklistToken");
    await token.mint(holder, 10n);
    await token.setBlocked(other, true);
    await expect(token.transfer(other, 1n))
      .to.be.revertedWithCustomError(token, "AccountBlocked")
      .withArgs(other.address);
    await token.setBlocked(other, false);
    await token.transfer(other, 1n);
    await token.setBlocked(holder, true);
    await expect(token.transfer(other, 1n))
      .to.be.revertedWithCustomError(token, "AccountBlocked")
      .withArgs(holder.address);
  });

  it("RevertsOnZeroToken rejects zero and nothing else", async () => {
    const token = await ethers.deployContract("RevertsOnZeroToken");
    await token.mint(holder, 10n);
    await expect(token.transfer(other, 0n)).to.be.revertedWithCustomError(token, "ZeroTransfer");
    await expect(token.approve(other, 0n)).to.be.revertedWithCustomError(token, "ZeroApproval");
    await expect(token.transfer(other, 1n)).to.changeTokenBalance(ethers, token, other, 1n);
  });
});

describe("the hostile accounts", () => {
  it("RejectingRecipient rejects every call by name", async () => {
    const rejecting = await ethers.deployContract("RejectingRecipient");
    await expect(holder.sendTransaction({ to: rejecting, value: 3n }))
      .to.be.revertedWithCustomError(rejecting, "Rejected")
      .withArgs(3n);
    await expect(holder.sendTransaction({ to: rejecting, data: "0x12345678" }))
      .to.be.revertedWithCustomError(rejecting, "Rejected")
      .withArgs(0n);
  });

  it("GasBurningRecipient burns its configured gas, and fails with less", async () => {
    const burning = await ethers.deployContract("GasBurningRecipient", [200_000n]);
    const receipt = await (await holder.sendTransaction({ to: burning, value: 1n })).wait();
    expect(receipt?.gasUsed).to.be.greaterThan(221_000n);
    expect(receipt?.gasUsed).to.be.lessThan(223_000n);
    await expect(holder.sendTransaction({ to: burning, value: 1n, gasLimit: 150_000n })).to.revert(ethers);
  });

  it("ReturndataBomb returns, or reverts with, its configured number of bytes", async () => {
    const bomb = await ethers.deployContract("ReturndataBomb", [50_000, false]);
    expect(ethers.dataLength(await holder.call({ to: bomb, data: "0x12345678" }))).to.equal(50_000);
    await bomb.configure(50_000, true);
    const multicall = await ethers.deployContract("Multicall3");
    const call = { target: await bomb.getAddress(), callData: "0x" };
    const [result] = await multicall.tryAggregate.staticCall(false, [call]);
    expect([result?.success, ethers.dataLength(result?.returnData ?? "0x")]).to.deep.equal([false, 50_000]);
  });

  it("ReentrantTarget calls back once per arming, for any calldata, and records the outcome", async () => {
    const target = await ethers.deployContract("ReentrantTarget");
    const rejecting = await ethers.deployContract("RejectingRecipient");
    await target.arm(rejecting, "0x12345678");
    await holder.sendTransaction({ to: target, data: "0xdeadbeef" });
    await holder.sendTransaction({ to: target, value: 1n });
    expect([await target.fired(), await target.lastSuccess(), await target.lastReturnData()]).to.deep.equal([
      1n,
      false,
      rejecting.interface.encodeErrorResult("Rejected", [0n]),
    ]);
  });

  it("ContractSigner checks its key, approves everything, or reverts", async () => {
    const wallet = await ethers.deployContract("ContractSigner", [holder.address]);
    const digest = ethers.id("anything");
    const sign = (key: typeof holder) => key.signMessage(ethers.getBytes(digest));
    const hash = ethers.hashMessage(ethers.getBytes(digest));
    expect(await wallet.isValidSignature(hash, await sign(holder))).to.equal("0x1626ba7e");
    expect(await wallet.isValidSignature(hash, await sign(other))).to.equal("0xffffffff");
    expect(await wallet.isValidSignature(hash, "0x")).to.equal("0xffffffff");
    await wallet.setMode(1);
    expect(await wallet.isValidSignature(hash, "0x")).to.equal("0x1626ba7e");
    await wallet.setMode(2);
    await expect(wallet.isValidSignature(hash, "0x")).to.be.revertedWithCustomError(wallet, "WalletReverts");
  });
});
