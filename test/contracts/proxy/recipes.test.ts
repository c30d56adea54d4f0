import { expect } from "chai";
import { network } from "hardhat";
import { parseAbi } from "viem";
import type { Call } from "../../../src/calls/Call.ts";
import { depositToVault } from "../../../src/calls/recipes/depositToVault.ts";
import { mintNft } from "../../../src/calls/recipes/mintNft.ts";
import { unwrapNative } from "../../../src/calls/recipes/unwrapNative.ts";
import { wrapNative } from "../../../src/calls/recipes/wrapNative.ts";
import { deployProxyStage, expectNothingLeft } from "../../helpers/contracts/proxyStage.ts";

const { ethers, networkHelpers } = await network.create();

/** What is only known when it is there. */
const ARRIVED = 7_003_217n;
const PRICE = 2_500_000n;

async function routerStage() {
  const stage = await deployProxyStage(ethers);
  const router = await ethers.deployContract("RelayRouterV3");
  const token = await ethers.deployContract("PlainToken");
  const vault = await ethers.deployContract("LocalVault", [token, "Vault", "vLUSD"]);
  const wrapped = await ethers.deployContract("LocalWrappedNative", ["Wrapped", "WETH"]);
  const sale = await ethers.deployContract("NftSale", [token, PRICE]);
  return { stage, router, token, vault, wrapped, sale };
}

type Stage = Awaited<ReturnType<typeof routerStage>>;

const hex = async (contract: { getAddress(): Promise<string> }) =>
  (await contract.getAddress()) as `0x${string}`;

async function parties({ stage }: Stage) {
  return { proxy: await hex(stage.proxy), recipient: stage.recipient.address as `0x${string}` };
}

/** Has the service's router make the calls, sent by somebody who has nothing to do with them. */
async function run({ router, stage }: Stage, calls: readonly Call[], value = 0n): Promise<void> {
  const plan = calls.map(({ to, data, ...call }) => ({
    target: to,
    allowFailure: false,
    value: call.value,
    callData: data,
  }));
  await router.connect(stage.stranger).multicall(plan, stage.stranger, ethers.ZeroAddress, "0x", { value });
}

describe("recipes, run by the service's router", () => {
  it("depositToVault puts all that arrived into the vault", async () => {
    const all = await networkHelpers.loadFixture(routerStage);
    const { stage, router, token, vault } = all;
    await token.mint(router, ARRIVED);
    const shares = { minimumReceived: ARRIVED, minimumShares: ARRIVED };
    const calls = depositToVault({
      ...(await parties(all)),
      ...shares,
      asset: await hex(token),
      vault: await hex(vault),
    });
    await run(all, calls);
    expect(await vault.balanceOf(stage.recipient)).to.equal(ARRIVED);
    expect(await token.balanceOf(vault)).to.equal(ARRIVED);
    expect(await token.allowance(router, stage.proxy)).to.equal(0n);
    await expectNothingLeft(stage, token, vault);
  });

  it("unwrapNative gives the recipient all that arrived as native currency", async () => {
    const all = await networkHelpers.loadFixture(routerStage);
    const { stage, router, wrapped } = all;
    await wrapped.deposit({ value: ARRIVED });
    await wrapped.transfer(router, ARRIVED);
    const calls = unwrapNative({ ...(await parties(all)), wrappedNative: await hex(wrapped) });
    const before = await ethers.provider.getBalance(stage.recipient);
    await run(all, calls);
    expect(await ethers.provider.getBalance(stage.recipient)).to.equal(before + ARRIVED);
    expect(await wrapped.totalSupply()).to.equal(0n);
    expect(await wrapped.allowance(router, stage.proxy)).to.equal(0n);
    expect(await wrapped.allowance(stage.executor, wrapped)).to.equal(0n);
  });

  it("wrapNative gives the recipient all that arrived as the wrapped currency", async () => {
    const all = await networkHelpers.loadFixture(routerStage);
    const { stage, router, wrapped } = all;
    const calls = wrapNative({
      ...(await parties(all)),
      minimumReceived: ARRIVED,
      router: await hex(router),
      wrappedNative: await hex(wrapped),
    });
    await run(all, calls, ARRIVED);
    expect(await wrapped.balanceOf(stage.recipient)).to.equal(ARRIVED);
    for (const holder of [router, stage.proxy, stage.executor]) {
      expect(await ethers.provider.getBalance(holder)).to.equal(0n);
      expect(await wrapped.balanceOf(holder)).to.equal(0n);
    }
  });

  it("mintNft pays from what arrived and gives the recipient NFTs and change", async () => {
    const all = await networkHelpers.loadFixture(routerStage);
    const { stage, router, token, sale } = all;
    await token.mint(router, ARRIVED);
    const calls = mintNft({
      ...(await parties(all)),
      abi: parseAbi(["function buy(uint256 quantity)"]),
      address: await hex(sale),
      args: [2n],
      functionName: "buy",
      price: 2n * PRICE,
      token: await hex(token),
    });
    await run(all, calls);
    expect(await sale.ownerOf(0n)).to.equal(stage.recipient);
    expect(await sale.ownerOf(1n)).to.equal(stage.recipient);
    expect(await token.balanceOf(sale)).to.equal(2n * PRICE);
    expect(await token.balanceOf(stage.recipient)).to.equal(ARRIVED - 2n * PRICE);
    expect(await token.allowance(router, stage.proxy)).to.equal(0n);
    await expectNothingLeft(stage, token, sale);
  });
});
