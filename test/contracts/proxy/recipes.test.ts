import { expect } from "chai";
import { network } from "hardhat";
import { parseAbi } from "viem";
import { depositToVault } from "../../../src/calls/recipes/depositToVault.ts";
import { mintNft } from "../../../src/calls/recipes/mintNft.ts";
import { unwrapNative, wrapNative } from "../../../src/calls/recipes/wrappedNative.ts";
import { expectNothingLeft } from "../../helpers/contracts/proxyStage.ts";
import { addressOf, deployRecipeStage, runCalls } from "./support/recipeStage.ts";

const { ethers, networkHelpers } = await network.create();

/** The live amount, known only on arrival. */
const ARRIVED = 7_003_217n;
const PRICE = 2_500_000n;

async function routerStage() {
  const all = await deployRecipeStage(ethers);
  const token = await ethers.deployContract("PlainToken");
  const vault = await ethers.deployContract("LocalVault", [token, "Vault", "vLUSD"]);
  const wrapped = await ethers.deployContract("LocalWrappedNative", ["Wrapped", "WETH"]);
  const sale = await ethers.deployContract("NftSale", [token, PRICE]);
  return { ...all, token, vault, wrapped, sale };
}

describe("recipes, run by the service's router", () => {
  for (const [form, minimumShares] of [
    ["the proxy's own deposit", 0n],
    ["execute, which bounds the shares", ARRIVED],
  ] as const) {
    it(`depositToVault deposits the whole arrived balance into the vault by ${form}`, async () => {
      const all = await networkHelpers.loadFixture(routerStage);
      const { stage, router, token, vault } = all;
      await token.mint(router, ARRIVED);
      const calls = depositToVault({
        ...all.parties,
        asset: await addressOf(token),
        minimumReceived: ARRIVED,
        minimumShares,
        vault: await addressOf(vault),
      });
      await runCalls(all, calls);
      expect(await vault.balanceOf(stage.recipient)).to.equal(ARRIVED);
      expect(await token.balanceOf(vault)).to.equal(ARRIVED);
      expect(await token.allowance(router, stage.proxy)).to.equal(0n);
      await expectNothingLeft(stage, token, vault);
    });
  }

  it("depositToVault moves nothing when one unit less than the minimum arrived", async () => {
    const all = await networkHelpers.loadFixture(routerStage);
    const { stage, router, token, vault } = all;
    await token.mint(router, ARRIVED - 1n);
    const calls = depositToVault({
      ...all.parties,
      asset: await addressOf(token),
      minimumReceived: ARRIVED,
      vault: await addressOf(vault),
    });
    await expect(runCalls(all, calls))
      .to.be.revertedWithCustomError(stage.proxy, "ReceivedTooLittle")
      .withArgs(await addressOf(token), ARRIVED - 1n, ARRIVED);
    expect(await token.balanceOf(router)).to.equal(ARRIVED - 1n);
  });

  it("a router approval that stays lets any account spend later leftovers, which is why recipes reset it", async () => {
    const all = await networkHelpers.loadFixture(routerStage);
    const { stage, router, token } = all;
    const call = (to: string, data: string) =>
      ({ to, data, value: 0n }) as Parameters<typeof runCalls>[1][number];
    const approval = [await addressOf(stage.proxy), ethers.MaxUint256] as const;
    const approve = token.interface.encodeFunctionData("approve", [...approval]);
    await runCalls(all, [call(await addressOf(token), approve)]);
    await token.mint(router, ARRIVED);
    const leftovers = {
      token: await addressOf(token),
      minimumReceived: 0n,
      recipient: stage.stranger.address,
      minimumOutput: 0n,
    };
    const sweep = stage.proxy.interface.encodeFunctionData("execute", [[leftovers], []]);
    // By its own call, an attacker uses its own approval alone.
    await stage.stranger.sendTransaction({ to: stage.proxy, data: sweep });
    expect(await token.balanceOf(router)).to.equal(ARRIVED);
    await runCalls(all, [call(await addressOf(stage.proxy), sweep)]);
    expect(await token.balanceOf(stage.stranger)).to.equal(ARRIVED);
  });

  it("unwrapNative pays the recipient the whole arrived balance as native currency", async () => {
    const all = await networkHelpers.loadFixture(routerStage);
    const { stage, router, wrapped } = all;
    await wrapped.deposit({ value: ARRIVED });
    await wrapped.transfer(router, ARRIVED);
    const calls = unwrapNative({ ...all.parties, wrappedNative: await addressOf(wrapped) });
    const before = await ethers.provider.getBalance(stage.recipient);
    await runCalls(all, calls);
    expect(await ethers.provider.getBalance(stage.recipient)).to.equal(before + ARRIVED);
    expect(await wrapped.totalSupply()).to.equal(0n);
    expect(await wrapped.allowance(router, stage.proxy)).to.equal(0n);
    expect(await wrapped.allowance(stage.executor, wrapped)).to.equal(0n);
  });

  it("wrapNative pays the recipient the whole arrived balance as the wrapped currency", async () => {
    const all = await networkHelpers.loadFixture(routerStage);
    const { stage, router, wrapped } = all;
    const calls = wrapNative({
      ...all.parties,
      minimumReceived: ARRIVED,
      router: await addressOf(router),
      wrappedNative: await addressOf(wrapped),
    });
    await runCalls(all, calls, ARRIVED);
    expect(await wrapped.balanceOf(stage.recipient)).to.equal(ARRIVED);
    for (const holder of [router, stage.proxy, stage.executor]) {
      expect(await ethers.provider.getBalance(holder)).to.equal(0n);
      expect(await wrapped.balanceOf(holder)).to.equal(0n);
    }
  });

  it("mintNft pays from the arrived balance, and sends NFTs and change to the recipient", async () => {
    const all = await networkHelpers.loadFixture(routerStage);
    const { stage, router, token, sale } = all;
    await token.mint(router, ARRIVED);
    const calls = mintNft({
      ...all.parties,
      abi: parseAbi(["function buy(uint256 quantity)"]),
      address: await addressOf(sale),
      args: [2n],
      functionName: "buy",
      price: 2n * PRICE,
      token: await addressOf(token),
    });
    await runCalls(all, calls);
    expect(await sale.ownerOf(0n)).to.equal(stage.recipient);
    expect(await sale.ownerOf(1n)).to.equal(stage.recipient);
    expect(await token.balanceOf(sale)).to.equal(2n * PRICE);
    expect(await token.balanceOf(stage.recipient)).to.equal(ARRIVED - 2n * PRICE);
    expect(await token.allowance(router, stage.proxy)).to.equal(0n);
    await expectNothingLeft(stage, token, sale);
  });
});
