import { expect } from "chai";
import { network } from "hardhat";

const { ethers, networkHelpers } = await network.create();

const ORDER_ID = `0x${"0d".repeat(32)}`;

async function deployDepository() {
  const [owner, allocator, depositor, other] = await ethers.getSigners();
  if (!owner || !allocator || !depositor || !other) throw new Error("The local chain has too few accounts.");
  const depository = await ethers.deployContract("RelayDepository", [owner.address, allocator.address]);
  const token = await ethers.deployContract("LocalToken", ["Dollar", "USD", 6, owner.address]);
  await token.mint(depositor, 1_000n);
  const depositErc20 = depository.connect(depositor)["depositErc20(address,address,uint256,bytes32)"];
  return { depository, depositErc20, token, owner, allocator, depositor, other };
}

describe("RelayDepository deposits", () => {
  // @spec service/order-id deposit/event
  it("keeps native currency and credits the named depositor", async () => {
    const { depository, depositor, other } = await networkHelpers.loadFixture(deployDepository);
    const deposit = depository.connect(depositor).depositNative(other, ORDER_ID, { value: 700n });
    await expect(deposit).to.emit(depository, "RelayNativeDeposit").withArgs(other.address, 700n, ORDER_ID);
    await expect(deposit).to.changeEtherBalances(ethers, [depositor, depository], [-700n, 700n]);
  });

  it("credits the caller when the depositor is zero", async () => {
    const { depository, depositErc20, token, depositor } = await networkHelpers.loadFixture(deployDepository);
    await expect(depository.connect(depositor).depositNative(ethers.ZeroAddress, ORDER_ID, { value: 1n }))
      .to.emit(depository, "RelayNativeDeposit")
      .withArgs(depositor.address, 1n, ORDER_ID);

    await token.connect(depositor).approve(depository, 2n);
    await expect(depositErc20(ethers.ZeroAddress, token, 2n, ORDER_ID))
      .to.emit(depository, "RelayErc20Deposit")
      .withArgs(depositor.address, await token.getAddress(), 2n, ORDER_ID);
  });

  // @spec deposit/event
  it("pulls exactly the requested amount of a token", async () => {
    const { depository, depositErc20, token, depositor, other } =
      await networkHelpers.loadFixture(deployDepository);
    await token.connect(depositor).approve(depository, 1_000n);
    const deposit = depositErc20(other, token, 300n, ORDER_ID);
    await expect(deposit)
      .to.emit(depository, "RelayErc20Deposit")
      .withArgs(other.address, await token.getAddress(), 300n, ORDER_ID);
    await expect(deposit).to.changeTokenBalances(ethers, token, [depositor, depository], [-300n, 300n]);
    expect(await token.allowance(depositor, depository)).to.equal(700n);
  });

  it("weakness: a deposit without an amount consumes the whole allowance", async () => {
    const { depository, token, depositor } = await networkHelpers.loadFixture(deployDepository);
    await token.connect(depositor).approve(depository, 850n);
    const deposit = depository
      .connect(depositor)
      ["depositErc20(address,address,bytes32)"](ethers.ZeroAddress, token, ORDER_ID);
    await expect(deposit)
      .to.emit(depository, "RelayErc20Deposit")
      .withArgs(depositor.address, await token.getAddress(), 850n, ORDER_ID);
    await expect(deposit).to.changeTokenBalance(ethers, token, depository, 850n);
    expect(await token.allowance(depositor, depository)).to.equal(0n);
  });

  it("weakness: accepts a second deposit under the same id", async () => {
    const { depository, depositor, other } = await networkHelpers.loadFixture(deployDepository);
    await depository.connect(depositor).depositNative(depositor, ORDER_ID, { value: 1n });
    await expect(depository.connect(other).depositNative(other, ORDER_ID, { value: 2n }))
      .to.emit(depository, "RelayNativeDeposit")
      .withArgs(other.address, 2n, ORDER_ID);
  });

  it("weakness: the event names the requested amount, not the lesser one that a fee token delivers", async () => {
    const { depository, depositErc20, depositor } = await networkHelpers.loadFixture(deployDepository);
    const token = await ethers.deployContract("FeeOnTransferToken", [100n]);
    await token.mint(depositor, 1_000_000n);
    await token.connect(depositor).approve(depository, 1_000_000n);
    const deposit = depositErc20(depositor, token, 1_000_000n, ORDER_ID);
    await expect(deposit)
      .to.emit(depository, "RelayErc20Deposit")
      .withArgs(depositor.address, await token.getAddress(), 1_000_000n, ORDER_ID);
    expect(await token.balanceOf(depository)).to.equal(990_000n);
  });

  it("weakness: any account can deposit in another's name", async () => {
    const { depository, depositor, other } = await networkHelpers.loadFixture(deployDepository);
    await expect(depository.connect(other).depositNative(depositor, ORDER_ID))
      .to.emit(depository, "RelayNativeDeposit")
      .withArgs(depositor.address, 0n, ORDER_ID);
  });
});
