import { expect } from "chai";
import { network } from "hardhat";

const { ethers, networkHelpers } = await network.create();

const METADATA = `0x${"5a".repeat(32)}`;
const notInAbi = { interface: new ethers.Interface(["error ETHTransferFailed()", "error TransferFailed()"]) };

async function deployRouter() {
  const [solver, recipient, other] = await ethers.getSigners();
  if (!solver || !recipient || !other) throw new Error("The local chain has too few accounts.");
  const router = await ethers.deployContract("RelayRouterV3");
  const token = await ethers.deployContract("LocalToken", ["Dollar", "USD", 6, solver.address]);
  const vault = await ethers.deployContract("LocalVault", [token, "Dollar Vault", "vUSD"]);
  const rejecting = await ethers.deployContract("RejectingRecipient");
  return { router, token, vault, rejecting, solver, recipient, other };
}

function call(target: string, callData = "0x", value = 0n, allowFailure = false) {
  return { target, allowFailure, value, callData };
}

describe("RelayRouterV3.multicall", () => {
  it("makes the calls in order as the router and logs each that went through", async () => {
    const { router, token, vault, recipient } = await networkHelpers.loadFixture(deployRouter);
    await token.mint(router, 500n);
    const approve = token.interface.encodeFunctionData("approve", [await vault.getAddress(), 500n]);
    const deposit = vault.interface.encodeFunctionData("deposit", [500n, recipient.address]);
    const calls = [call(await token.getAddress(), approve), call(await vault.getAddress(), deposit)];

    const running = router.multicall(calls, recipient, ethers.ZeroAddress, METADATA);

    await expect(running).to.changeTokenBalances(ethers, vault, [recipient], [500n]);
    const receipt = await (await running).wait();
    const executed = (receipt?.logs ?? [])
      .map((log) => router.interface.parseLog(log))
      .filter((log) => log?.name === "SolverCallExecuted")
      .map((log) => log?.args.toArray());
    expect(executed).to.deep.equal([
      [await token.getAddress(), approve, 0n],
      [await vault.getAddress(), deposit, 0n],
    ]);
  });

  it("returns what each call gave", async () => {
    const { router, token, rejecting, recipient } = await networkHelpers.loadFixture(deployRouter);
    const decimals = call(await token.getAddress(), token.interface.encodeFunctionData("decimals"));
    const failing = call(await rejecting.getAddress(), "0x", 0n, true);
    const results = await router.multicall.staticCall(
      [decimals, failing],
      recipient,
      ethers.ZeroAddress,
      "0x",
    );
    expect(results.map((each) => [each.success, each.returnData])).to.deep.equal([
      [true, ethers.AbiCoder.defaultAbiCoder().encode(["uint8"], [6])],
      [false, rejecting.interface.encodeErrorResult("Rejected", [0n])],
    ]);
  });

  it("logs the value that comes in, what each call gets, and the refund", async () => {
    const { router, solver, recipient, other } = await networkHelpers.loadFixture(deployRouter);
    const running = router.multicall(
      [call(other.address, "0x", 60n)],
      recipient,
      ethers.ZeroAddress,
      METADATA,
      {
        value: 100n,
      },
    );
    const address = await router.getAddress();
    await expect(running)
      .to.emit(router, "FundsMovement")
      .withArgs(solver.address, address, ethers.ZeroAddress, 100n, METADATA);
    await expect(running).to.emit(router, "SolverCallExecuted").withArgs(other.address, "0x", 60n);
    await expect(running).to.emit(router, "SolverNativeTransfer").withArgs(recipient.address, 40n);
    await expect(running)
      .to.emit(router, "FundsMovement")
      .withArgs(address, recipient.address, ethers.ZeroAddress, 40n, METADATA);
    await expect(running).to.changeEtherBalances(
      ethers,
      [solver, other, recipient, router],
      [-100n, 60n, 40n, 0n],
    );
  });

  it("logs no movement of funds when there is none", async () => {
    const { router, recipient } = await networkHelpers.loadFixture(deployRouter);
    const receipt = await (await router.multicall([], recipient, ethers.ZeroAddress, METADATA)).wait();
    expect(receipt?.logs).to.deep.equal([]);
  });

  it("refunds the caller when the refund address is zero", async () => {
    const { router, solver } = await networkHelpers.loadFixture(deployRouter);
    const running = router.multicall([], ethers.ZeroAddress, ethers.ZeroAddress, "0x", { value: 100n });
    await expect(running).to.emit(router, "SolverNativeTransfer").withArgs(solver.address, 100n);
    await expect(running).to.changeEtherBalances(ethers, [solver, router], [0n, 0n]);
  });

  it("reverts with the reason of a call that may not fail", async () => {
    const { router, rejecting, recipient } = await networkHelpers.loadFixture(deployRouter);
    const calls = [call(await rejecting.getAddress(), "0x", 7n)];
    await expect(router.multicall(calls, recipient, ethers.ZeroAddress, "0x", { value: 7n }))
      .to.be.revertedWithCustomError(rejecting, "Rejected")
      .withArgs(7n);
  });

  it("reverts without a reason when the call had none", async () => {
    const { router, token, recipient } = await networkHelpers.loadFixture(deployRouter);
    const calls = [call(await token.getAddress(), "0xdeadbeef")];
    await expect(router.multicall(calls, recipient, ethers.ZeroAddress, "0x")).to.be.revertedWithoutReason(
      ethers,
    );
  });

  it("goes on after a call that may fail, does not log it and refunds its value", async () => {
    const { router, rejecting, recipient } = await networkHelpers.loadFixture(deployRouter);
    const calls = [call(await rejecting.getAddress(), "0x", 7n, true)];
    const running = router.multicall(calls, recipient, ethers.ZeroAddress, "0x", { value: 7n });
    await expect(running).not.to.emit(router, "SolverCallExecuted");
    await expect(running).to.changeEtherBalance(ethers, recipient, 7n);
  });

  it("reverts the whole batch with ETHTransferFailed when the refund is refused", async () => {
    const { router, rejecting, other } = await networkHelpers.loadFixture(deployRouter);
    const calls = [call(other.address, "0x", 1n)];
    await expect(
      router.multicall(calls, rejecting, ethers.ZeroAddress, "0x", { value: 2n }),
    ).to.be.revertedWithCustomError(notInAbi, "ETHTransferFailed");
  });

  it("refuses a third party that calls back, and names both accounts", async () => {
    const { router, token, solver, recipient } = await networkHelpers.loadFixture(deployRouter);
    const target = await ethers.deployContract("ReentrantTarget");
    await token.mint(router, 500n);
    const sweep = router.interface.encodeFunctionData("cleanupErc20s", [
      [await token.getAddress()],
      [await target.getAddress()],
      [0n],
      "0x",
    ]);
    await target.arm(router, sweep);
    await router.multicall([call(await target.getAddress())], recipient, ethers.ZeroAddress, "0x");
    expect(await target.lastReturnData()).to.equal(
      router.interface.encodeErrorResult("InvalidMsgSender", [solver.address, await target.getAddress()]),
    );
    expect(await token.balanceOf(target)).to.equal(0n);
  });

  it("takes a plain native transfer and logs it", async () => {
    const { router, solver } = await networkHelpers.loadFixture(deployRouter);
    await expect(solver.sendTransaction({ to: router, value: 3n }))
      .to.emit(router, "SolverNativeTransfer")
      .withArgs(await router.getAddress(), 3n);
  });
});

describe("RelayRouterV3 cleanups", () => {
  it("sends fixed amounts and, for zero, the whole balance", async () => {
    const { router, token, vault, recipient, other } = await networkHelpers.loadFixture(deployRouter);
    await token.mint(router, 500n);
    const dollars = await token.getAddress();
    const cleanup = router.cleanupErc20s([dollars, dollars], [recipient, other], [120n, 0n], METADATA);
    await expect(cleanup).to.changeTokenBalances(
      ethers,
      token,
      [router, recipient, other],
      [-500n, 120n, 380n],
    );
    await expect(cleanup)
      .to.emit(router, "FundsMovement")
      .withArgs(await router.getAddress(), other.address, dollars, 380n, METADATA);

    const nothing = await router.cleanupErc20s([await vault.getAddress()], [recipient], [0n], METADATA);
    expect((await nothing.wait())?.logs).to.deep.equal([]);
  });

  it("skips a balance of zero, so a token that rejects zero transfers does no harm", async () => {
    const { router, recipient } = await networkHelpers.loadFixture(deployRouter);
    const token = await ethers.deployContract("RevertsOnZeroToken");
    await expect(
      router.cleanupErc20s([await token.getAddress()], [recipient], [0n], "0x"),
    ).to.changeTokenBalance(ethers, token, recipient, 0n);
  });

  it("sends a token that returns nothing and refuses one that returns false", async () => {
    const { router, recipient } = await networkHelpers.loadFixture(deployRouter);
    const quiet = await ethers.deployContract("NoReturnToken");
    const lying = await ethers.deployContract("ReturnsFalseToken");
    await quiet.mint(router, 5n);
    await lying.mint(router, 5n);
    await expect(
      router.cleanupErc20s([await quiet.getAddress()], [recipient], [0n], "0x"),
    ).to.changeTokenBalance(ethers, quiet, recipient, 5n);
    await expect(
      router.cleanupErc20s([await lying.getAddress()], [recipient], [0n], "0x"),
    ).to.be.revertedWithCustomError(notInAbi, "TransferFailed");
  });

  it("reverts with ArrayLengthsMismatch when the arrays differ in length", async () => {
    const { router, token, recipient } = await networkHelpers.loadFixture(deployRouter);
    const dollars = await token.getAddress();
    const attempts = [
      () => router.cleanupErc20s([dollars], [recipient], [], "0x"),
      () => router.cleanupErc20s([dollars], [], [1n], "0x"),
      () => router.cleanupErc20sViaCall([dollars], [recipient], ["0x"], []),
      () => router.cleanupErc20sViaCall([dollars], [recipient], [], [1n]),
      () => router.cleanupErc20sViaCall([dollars], [], ["0x"], [1n]),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).to.be.revertedWithCustomError(router, "ArrayLengthsMismatch");
    }
  });

  it("sends native currency to the recipient, or to the caller when it is zero", async () => {
    const { router, solver, recipient, other } = await networkHelpers.loadFixture(deployRouter);
    await networkHelpers.setBalance(await router.getAddress(), 10n);
    const first = router.cleanupNative(4n, recipient, METADATA);
    await expect(first).to.emit(router, "SolverNativeTransfer").withArgs(recipient.address, 4n);
    await expect(first)
      .to.emit(router, "FundsMovement")
      .withArgs(await router.getAddress(), recipient.address, ethers.ZeroAddress, 4n, METADATA);
    await expect(router.connect(other).cleanupNative(0n, ethers.ZeroAddress, "0x"))
      .to.emit(router, "SolverNativeTransfer")
      .withArgs(other.address, 6n);
    const nothing = await router.connect(solver).cleanupNative(0n, recipient, "0x");
    expect((await nothing.wait())?.logs).to.deep.equal([]);
  });

  it("approves and calls a target that pulls, and skips it when there is nothing to spend", async () => {
    const { router, token, vault, recipient } = await networkHelpers.loadFixture(deployRouter);
    const deposit = vault.interface.encodeFunctionData("deposit", [500n, recipient.address]);
    const cleanup = () =>
      router.cleanupErc20sViaCall([token.getAddress()], [vault.getAddress()], [deposit], [0n]);
    expect((await (await cleanup()).wait())?.logs).to.deep.equal([]);
    await token.mint(router, 500n);
    await expect(cleanup()).to.changeTokenBalance(ethers, vault, recipient, 500n);
  });

  it("sends native currency along with a call, and skips it when there is none", async () => {
    const { router, recipient } = await networkHelpers.loadFixture(deployRouter);
    const wrapped = await ethers.deployContract("LocalWrappedNative", ["Wrapped Ether", "WETH"]);
    const deposit = wrapped.interface.encodeFunctionData("deposit");
    expect((await (await router.cleanupNativeViaCall(0n, wrapped, deposit)).wait())?.logs).to.deep.equal([]);
    await networkHelpers.setBalance(await router.getAddress(), 10n);
    await expect(router.cleanupNativeViaCall(4n, wrapped, deposit)).to.changeTokenBalance(
      ethers,
      wrapped,
      router,
      4n,
    );
    await expect(router.cleanupNativeViaCall(0n, recipient, "0x")).to.changeEtherBalance(
      ethers,
      recipient,
      6n,
    );
  });

  it("reverts with CallFailed, without the reason, when the call of a cleanup fails", async () => {
    const { router, token, rejecting } = await networkHelpers.loadFixture(deployRouter);
    await token.mint(router, 5n);
    await networkHelpers.setBalance(await router.getAddress(), 5n);
    await expect(
      router.cleanupErc20sViaCall([token.getAddress()], [rejecting.getAddress()], ["0x"], [0n]),
    ).to.be.revertedWithCustomError(router, "CallFailed");
    await expect(router.cleanupNativeViaCall(0n, rejecting, "0x")).to.be.revertedWithCustomError(
      router,
      "CallFailed",
    );
  });

  it("works as a step of its own multicall, which is how a batch ends", async () => {
    const { router, token, recipient } = await networkHelpers.loadFixture(deployRouter);
    await token.mint(router, 500n);
    const sweep = router.interface.encodeFunctionData("cleanupErc20s", [
      [await token.getAddress()],
      [recipient.address],
      [0n],
      METADATA,
    ]);
    await expect(
      router.multicall([call(await router.getAddress(), sweep)], recipient, ethers.ZeroAddress, METADATA),
    ).to.changeTokenBalances(ethers, token, [router, recipient], [-500n, 500n]);
  });
});
