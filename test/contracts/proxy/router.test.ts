import { expect } from "chai";
import { type BaseContract, MaxUint256 } from "ethers";
import { network } from "hardhat";
import { deployProxyStage, type ProxyStage } from "../../helpers/contracts/proxyStage.ts";
import { deployToken, type TestToken } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

/** The quoted and the arriving amount: the calls are fixed before the difference is known. */
const QUOTED = 1_000_000n;
const ARRIVED = 1_003_217n;
/** Offset of the amount in `deposit(uint256,address)`, directly after the selector. */
const AMOUNT_OFFSET = 4n;

async function routerStage(tokenName: "LocalToken" | "LocalTether" | "NoReturnToken") {
  const stage = await deployProxyStage(ethers);
  const router = await ethers.deployContract("RelayRouterV3");
  const token = await deployToken(ethers, tokenName);
  const vault = await ethers.deployContract("LocalVault", [token, "Vault", "vLUSD"]);
  return { stage, router, token, vault };
}

type RouterStage = Awaited<ReturnType<typeof routerStage>>;

async function call(target: BaseContract, callData: string) {
  return { target: await target.getAddress(), allowFailure: false, value: 0n, callData };
}

/** `spend` of the live balance into the vault, at least the quoted amount, with shares for the recipient. */
async function spendCall({ stage, token, vault }: RouterStage, entry: BaseContract) {
  const deposit = vault.interface.encodeFunctionData("deposit", [0n, stage.recipient.address]);
  return call(
    entry,
    stage.proxy.interface.encodeFunctionData("spend", [
      await token.getAddress(),
      QUOTED,
      await vault.getAddress(),
      AMOUNT_OFFSET,
      deposit,
      stage.recipient.address,
    ]),
  );
}

/** Runs the calls on the router, sent by an unrelated account. */
async function run({ router, stage }: RouterStage, calls: Awaited<ReturnType<typeof call>>[]) {
  return router.connect(stage.stranger).multicall(calls, stage.recipient, ethers.ZeroAddress, "0x");
}

async function approveCall(token: TestToken, spender: BaseContract, amount: bigint) {
  return call(token, token.interface.encodeFunctionData("approve", [await spender.getAddress(), amount]));
}

async function expectVaultHasEverything({ stage, router, token, vault }: RouterStage, arrived: bigint) {
  expect(await vault.balanceOf(stage.recipient)).to.equal(arrived);
  expect(await token.balanceOf(vault)).to.equal(arrived);
  for (const holder of [router, stage.proxy, stage.executor]) {
    expect(await token.balanceOf(holder)).to.equal(0n);
    expect(await vault.balanceOf(holder)).to.equal(0n);
    expect(await token.allowance(holder, vault)).to.equal(0n);
    expect(await ethers.provider.getBalance(holder)).to.equal(0n);
  }
  expect(await token.allowance(router, stage.proxy)).to.equal(0n);
}

describe("the service's router, depositing what arrives into a vault", () => {
  for (const tokenName of ["LocalToken", "LocalTether", "NoReturnToken"] as const) {
    it(`deposits ${tokenName} into a vault through the proxy: no token stays, and the recipient holds the shares`, async () => {
      const all = await routerStage(tokenName);
      const { stage, router, token } = all;
      for (const round of [1n, 2n]) {
        await token.mint(router, ARRIVED);
        await run(all, [
          await approveCall(token, stage.proxy, MaxUint256),
          await spendCall(all, stage.proxy),
          await approveCall(token, stage.proxy, 0n),
        ]);
        await expectVaultHasEverything(all, round * ARRIVED);
      }
    });

    it(`deposits into a vault without any approval, when ${tokenName} is swept to the executor first`, async () => {
      const all = await routerStage(tokenName);
      const { stage, router, token } = all;
      await token.mint(router, ARRIVED);
      const sweep = router.interface.encodeFunctionData("cleanupErc20s", [
        [await token.getAddress()],
        [await stage.executor.getAddress()],
        [0n],
        "0x",
      ]);
      await run(all, [await call(router, sweep), await spendCall(all, stage.executor)]);
      await expectVaultHasEverything(all, ARRIVED);
    });
  }

  it("reverts the whole batch when less than quoted arrived", async () => {
    const all = await networkHelpers.loadFixture(plainStage);
    const { stage, router, token, vault } = all;
    await token.mint(router, QUOTED - 1n);
    const calls = [await approveCall(token, stage.proxy, MaxUint256), await spendCall(all, stage.proxy)];
    await expect(run(all, calls))
      .to.be.revertedWithCustomError(stage.executor, "ReceivedTooLittle")
      .withArgs(await token.getAddress(), QUOTED - 1n, QUOTED);
    expect(await token.balanceOf(router)).to.equal(QUOTED - 1n);
    expect(await vault.totalSupply()).to.equal(0n);
  });

  it("a router approval that stays lets any account spend later leftovers, which is why it is reset", async () => {
    const all = await networkHelpers.loadFixture(plainStage);
    const { stage, router, token } = all;
    await run(all, [await approveCall(token, stage.proxy, MaxUint256)]);
    await token.mint(router, ARRIVED);
    await run(all, [await sweepToStranger(stage, token)]);
    expect(await token.balanceOf(stage.stranger)).to.equal(ARRIVED);
  });

  it("a router approval of the proxy is usable by the router alone", async () => {
    const all = await networkHelpers.loadFixture(plainStage);
    const { stage, router, token } = all;
    await run(all, [await approveCall(token, stage.proxy, MaxUint256)]);
    await token.mint(router, ARRIVED);
    const { callData } = await sweepToStranger(stage, token);
    await stage.stranger.sendTransaction({ to: stage.proxy, data: callData });
    await stage.stranger.sendTransaction({ to: stage.executor, data: callData });
    expect(await token.balanceOf(router)).to.equal(ARRIVED);
    expect(await token.balanceOf(stage.stranger)).to.equal(0n);
  });
});

async function plainStage() {
  return routerStage("LocalToken");
}

/** `execute` on the proxy without steps: pulls the caller's token and sweeps it to the attacker. */
async function sweepToStranger(stage: ProxyStage, token: TestToken) {
  const asset = {
    token: await token.getAddress(),
    minimumReceived: 0n,
    recipient: stage.stranger.address,
    minimumOutput: 0n,
  };
  return call(stage.proxy, stage.proxy.interface.encodeFunctionData("execute", [[asset], []]));
}
