import { expect } from "chai";
import { network } from "hardhat";
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

// The executor's own rules are in `test/solidity/proxy`.
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
});
