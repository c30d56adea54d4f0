import { expect } from "chai";
import { network } from "hardhat";

const { ethers, networkHelpers } = await network.create();

const FUNDS_MOVEMENT = "0xafbab204e8271965231d37baed9b1abca8725b7409c70314455f68bc89142b91";

async function deployRouter() {
  const [solver, recipient, other] = await ethers.getSigners();
  if (!solver || !recipient || !other) throw new Error("The local chain has too few accounts.");
  const router = await ethers.deployContract("RelayRouterV2_1");
  const token = await ethers.deployContract("LocalToken", ["Dollar", "USD", 6, solver.address]);
  const rejecting = await ethers.deployContract("RejectingRecipient");
  return { router, token, rejecting, solver, recipient, other };
}

function call(target: string, callData = "0x", value = 0n, allowFailure = false) {
  return { target, allowFailure, value, callData };
}

describe("RelayRouterV2_1", () => {
  it("makes the calls, refunds what is left and logs no movement of funds", async () => {
    const { router, solver, recipient, other } = await networkHelpers.loadFixture(deployRouter);
    const calls = [call(other.address, "0x", 60n)];
    const running = router.multicall(calls, recipient, ethers.ZeroAddress, { value: 100n });
    await expect(running).to.emit(router, "SolverCallExecuted").withArgs(other.address, "0x", 60n);
    await expect(running).to.emit(router, "SolverNativeTransfer").withArgs(recipient.address, 40n);
    await expect(running).to.changeEtherBalances(ethers, [solver, other, recipient], [-100n, 60n, 40n]);
    const receipt = await (await running).wait();
    expect(receipt?.logs.map((log) => log.topics[0])).not.to.include(FUNDS_MOVEMENT);
  });

  it("refunds the caller when the refund address is zero", async () => {
    const { router, solver } = await networkHelpers.loadFixture(deployRouter);
    await expect(router.multicall([], ethers.ZeroAddress, ethers.ZeroAddress, { value: 100n }))
      .to.emit(router, "SolverNativeTransfer")
      .withArgs(solver.address, 100n);
  });

  it("reverts with the reason of a call that may not fail and goes on after one that may", async () => {
    const { router, rejecting, recipient } = await networkHelpers.loadFixture(deployRouter);
    const target = await rejecting.getAddress();
    await expect(router.multicall([call(target)], recipient, ethers.ZeroAddress))
      .to.be.revertedWithCustomError(rejecting, "Rejected")
      .withArgs(0n);
    await expect(router.multicall([call(target, "0x", 0n, true)], recipient, ethers.ZeroAddress)).not.to.emit(
      router,
      "SolverCallExecuted",
    );
  });

  it("sends fixed amounts and, for zero, the whole balance", async () => {
    const { router, token, recipient, other } = await networkHelpers.loadFixture(deployRouter);
    await token.mint(router, 500n);
    const dollars = await token.getAddress();
    await expect(
      router.cleanupErc20s([dollars, dollars, dollars], [recipient, other, other], [120n, 0n, 0n]),
    ).to.changeTokenBalances(ethers, token, [recipient, other], [120n, 380n]);
    await networkHelpers.setBalance(await router.getAddress(), 10n);
    await expect(router.cleanupNative(4n, recipient)).to.changeEtherBalance(ethers, recipient, 4n);
    await expect(router.connect(other).cleanupNative(0n, ethers.ZeroAddress))
      .to.emit(router, "SolverNativeTransfer")
      .withArgs(other.address, 6n);
  });

  it("reverts with ArrayLengthsMismatch when the arrays differ in length", async () => {
    const { router, token, recipient } = await networkHelpers.loadFixture(deployRouter);
    const dollars = await token.getAddress();
    const attempts = [
      () => router.cleanupErc20s([dollars], [recipient], []),
      () => router.cleanupErc20s([dollars], [], [1n]),
      () => router.cleanupErc20sViaCall([dollars], [recipient], ["0x"], []),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).to.be.revertedWithCustomError(router, "ArrayLengthsMismatch");
    }
  });

  it("approves and calls a target that pulls", async () => {
    const { router, token, recipient } = await networkHelpers.loadFixture(deployRouter);
    const vault = await ethers.deployContract("LocalVault", [token, "Dollar Vault", "vUSD"]);
    await token.mint(router, 500n);
    const deposit = vault.interface.encodeFunctionData("deposit", [500n, recipient.address]);
    await expect(
      router.cleanupErc20sViaCall([token.getAddress()], [vault.getAddress()], [deposit], [0n]),
    ).to.changeTokenBalance(ethers, vault, recipient, 500n);
  });

  it("sends native currency along with a call, and reverts with CallFailed when it is refused", async () => {
    const { router, rejecting, recipient } = await networkHelpers.loadFixture(deployRouter);
    await networkHelpers.setBalance(await router.getAddress(), 10n);
    await expect(router.cleanupNativeViaCall(0n, rejecting, "0x")).to.be.revertedWithCustomError(
      router,
      "CallFailed",
    );
    await expect(router.cleanupNativeViaCall(0n, recipient, "0x")).to.changeEtherBalance(
      ethers,
      recipient,
      10n,
    );
  });

  it("refuses a third party that starts a multicall inside a multicall", async () => {
    const { router, solver, recipient } = await networkHelpers.loadFixture(deployRouter);
    const target = await ethers.deployContract("ReentrantTarget");
    const nested = router.interface.encodeFunctionData("multicall", [[], solver.address, ethers.ZeroAddress]);
    await target.arm(router, nested);
    await router.multicall([call(await target.getAddress())], recipient, ethers.ZeroAddress);
    expect(await target.lastReturnData()).to.equal(
      router.interface.encodeErrorResult("InvalidMsgSender", [solver.address, await target.getAddress()]),
    );
  });

  it("forgets the recipient of tokens after the multicall", async () => {
    const { router, recipient } = await networkHelpers.loadFixture(deployRouter);
    const nft = await ethers.deployContract("MintableNft");
    const address = await router.getAddress();
    const mint = (id: bigint) => nft.interface.encodeFunctionData("mint", [address, id]);
    const target = await nft.getAddress();
    const caller = await ethers.deployContract("Multicall3");
    const withRecipient = router.interface.encodeFunctionData("multicall", [
      [call(target, mint(1n))],
      recipient.address,
      recipient.address,
    ]);
    // Both in one transaction: transient storage that was not cleared would still hold the recipient.
    const results = await caller.aggregate3.staticCall([
      { target: address, allowFailure: false, callData: withRecipient },
      { target, allowFailure: true, callData: mint(2n) },
    ]);
    expect(results.map((each) => each.success)).to.deep.equal([true, false]);
    expect(results[1]?.returnData).to.equal(router.interface.encodeErrorResult("NoRecipientSet"));
  });
});
