import { expect } from "chai";
import { network } from "hardhat";
import { parseAbi } from "viem";
import { balanceOf } from "../../../src/calls/liveBalance.ts";
import { proxyStep } from "../../../src/calls/proxyStep.ts";
import { supplyToPool } from "../../../src/calls/recipes/supplyToPool.ts";
import { expectNothingLeft } from "../../helpers/contracts/proxyStage.ts";
import { addressOf, deployRecipeStage, runCalls } from "./support/recipeStage.ts";

const { ethers, networkHelpers } = await network.create();

/** The live amount, known only on arrival. */
const ARRIVED = 7_003_217n;
const REFERRAL_CODE = 77;

async function supplyStage() {
  const all = await deployRecipeStage(ethers);
  const token = await ethers.deployContract("PlainToken");
  const pool = await ethers.deployContract("LendingPool", [token]);
  const receipt = await ethers.getContractAt("PlainToken", await pool.receipt());
  const supply = {
    ...all.parties,
    asset: await addressOf(token),
    minimumReceived: ARRIVED,
    pool: await addressOf(pool),
    receipt: { minimum: ARRIVED, token: await addressOf(receipt) },
    referralCode: REFERRAL_CODE,
  };
  return { ...all, token, pool, receipt, supply };
}

async function setUp(arrived = ARRIVED) {
  const all = await networkHelpers.loadFixture(supplyStage);
  await all.token.mint(all.router, arrived);
  return all;
}

/** Expects all money on the router, and nothing supplied. */
async function expectUndone(
  { router, token, receipt, pool, stage }: Awaited<ReturnType<typeof setUp>>,
  had: bigint,
) {
  expect(await token.balanceOf(router)).to.equal(had);
  expect(await receipt.totalSupply()).to.equal(0n);
  expect(await token.allowance(router, stage.proxy)).to.equal(0n);
  await expectNothingLeft(stage, token, pool);
}

describe("supplyToPool, run by the service's router", () => {
  it("supplyToPool reverts when one unit less than the minimum arrived", async () => {
    const all = await setUp(ARRIVED - 1n);
    const { stage, supply } = all;
    await expect(runCalls(all, supplyToPool(supply)))
      .to.be.revertedWithCustomError(stage.executor, "ReceivedTooLittle")
      .withArgs(supply.asset, ARRIVED - 1n, ARRIVED);
    await expectUndone(all, ARRIVED - 1n);
  });

  it("supplyToPool reverts when the pool gives one receipt token less than the minimum", async () => {
    const all = await setUp();
    const { stage, supply, receipt } = all;
    const calls = supplyToPool({ ...supply, receipt: { ...supply.receipt, minimum: ARRIVED + 1n } });
    await expect(runCalls(all, calls))
      .to.be.revertedWithCustomError(stage.executor, "OutputTooLow")
      .withArgs(await receipt.getAddress(), ARRIVED, ARRIVED + 1n);
    await expectUndone(all, ARRIVED);
  });

  it("supplyToPool rejects a pool without code", async () => {
    const all = await setUp();
    const pool = all.stage.stranger.address as `0x${string}`;
    await expect(runCalls(all, supplyToPool({ ...all.supply, pool })))
      .to.be.revertedWithCustomError(all.stage.executor, "TargetHasNoCode")
      .withArgs(0n, pool);
    await expectUndone(all, ARRIVED);
  });

  it("supplyToPool keeps the pool's reason when the pool does not list the asset", async () => {
    const all = await setUp();
    const other = await ethers.deployContract("PlainToken");
    const pool = await ethers.deployContract("LendingPool", [other]);
    const inner = pool.interface.encodeErrorResult("AssetNotListed", [
      all.supply.asset,
      await other.getAddress(),
    ]);
    await expect(runCalls(all, supplyToPool({ ...all.supply, pool: await addressOf(pool) })))
      .to.be.revertedWithCustomError(all.stage.executor, "StepFailed")
      .withArgs(0n, await pool.getAddress(), inner);
    await expectUndone(all, ARRIVED);
  });

  it("supplyToPool rejects the zero address as recipient, for which the receipt token reverts", async () => {
    const all = await setUp();
    const { stage, token, pool, receipt, supply } = all;
    const onBehalfOf = ethers.ZeroAddress as `0x${string}`;
    expect(() => supplyToPool({ ...supply, recipient: onBehalfOf })).to.throw("recipient");
    const calls = proxyStep({
      ...all.parties,
      abi: parseAbi(["function supply(address, uint256, address onBehalfOf, uint16)"]),
      address: supply.pool,
      args: [supply.asset, balanceOf(supply.asset), onBehalfOf, 0],
      functionName: "supply",
      token: await addressOf(token),
    });
    const inner = receipt.interface.encodeErrorResult("ERC20InvalidReceiver", [onBehalfOf]);
    await expect(runCalls(all, calls))
      .to.be.revertedWithCustomError(stage.executor, "StepFailed")
      .withArgs(0n, await pool.getAddress(), inner);
    await expectUndone(all, ARRIVED);
  });

  it("supplyToPool cannot be repeated without new funds", async () => {
    const all = await setUp();
    const calls = supplyToPool(all.supply);
    await runCalls(all, calls);
    await expect(runCalls(all, calls))
      .to.be.revertedWithCustomError(all.stage.executor, "ReceivedTooLittle")
      .withArgs(all.supply.asset, 0n, ARRIVED);
    expect(await all.receipt.totalSupply()).to.equal(ARRIVED);
  });

  for (const bounded of [true, false]) {
    it(`supplyToPool supplies all that arrived on the recipient's behalf, ${bounded ? "with" : "without"} a minimum of receipt tokens`, async () => {
      const all = await setUp();
      const { stage, router, token, pool, receipt, supply } = all;
      const { receipt: _, ...unbounded } = supply;
      await expect(runCalls(all, supplyToPool(bounded ? supply : unbounded)))
        .to.emit(pool, "Supply")
        .withArgs(supply.asset, await stage.executor.getAddress(), supply.recipient, ARRIVED, REFERRAL_CODE);
      expect(await receipt.balanceOf(stage.recipient)).to.equal(ARRIVED);
      expect(await token.balanceOf(pool)).to.equal(ARRIVED);
      expect(await token.balanceOf(router)).to.equal(0n);
      expect(await token.allowance(router, stage.proxy)).to.equal(0n);
      await expectNothingLeft(stage, token, pool);
      await expectNothingLeft(stage, receipt, pool);
    });
  }

  it("supplyToPool with a minimum sweeps earlier receipt tokens of the executor to the recipient", async () => {
    const all = await setUp();
    await all.receipt.mint(all.stage.executor, 5n);
    await runCalls(all, supplyToPool(all.supply));
    expect(await all.receipt.balanceOf(all.stage.recipient)).to.equal(ARRIVED + 5n);
    await expectNothingLeft(all.stage, all.receipt, all.pool);
  });
});
