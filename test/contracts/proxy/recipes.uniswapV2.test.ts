import { expect } from "chai";
import type { BaseContract } from "ethers";
import { network } from "hardhat";
import { expectNothingLeft } from "../../helpers/contracts/proxyStage.ts";
import { makePool } from "../../helpers/contracts/uniswapV2.ts";
import { addressOf, reasonOf, runCalls } from "./support/recipeStage.ts";
import {
  ARRIVED,
  deploySwapStage,
  expectRefused,
  quote,
  SWAP_KINDS,
  type SwapKind,
  type SwapStage,
  swap,
  swapParameters,
} from "./support/swapStage.ts";

const { ethers, networkHelpers } = await network.create();

async function swapStage() {
  return deploySwapStage(ethers);
}

async function expectClean({ stage, router, sold, bought, wrapped, uniswap }: SwapStage) {
  for (const token of [sold, bought, wrapped] as readonly BaseContract[]) {
    await expectNothingLeft(stage, token, uniswap.router as BaseContract);
  }
  expect(await sold.allowance(router, stage.proxy)).to.equal(0n);
  expect(await ethers.provider.getBalance(router)).to.equal(0n);
}

for (const kind of SWAP_KINDS) {
  describe(`${kind.name}, run by the service's router on the published Uniswap v2`, () => {
    /** Expects the spending step to fail with the swap router's or a pool's reason. */
    async function stepFailed(all: SwapStage, message: string) {
      const reason = reasonOf(all.stage, message);
      return { error: "StepFailed", args: [0n, await all.uniswap.router.getAddress(), reason] };
    }

    it("reverts when the pools give one unit less than the minimum", async () => {
      const all = await networkHelpers.loadFixture(swapStage);
      const minimumOutput = (await quote(all, kind, ARRIVED)) + 1n;
      const failed = await stepFailed(all, "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT");
      await expectRefused(all, kind, failed, { minimumOutput });
    });

    it("succeeds in the last second of the deadline, and reverts in the next", async () => {
      const all = await networkHelpers.loadFixture(swapStage);
      const given = await quote(all, kind, ARRIVED);
      const before = await kind.balanceOfBought(all, all.stage.recipient);
      const calls = await kind.compose(all, await swapParameters(all, kind));
      const value = await kind.arrive(all, ARRIVED);
      await networkHelpers.time.setNextBlockTimestamp(all.deadline);
      await runCalls(all, calls, value);
      expect(await kind.balanceOfBought(all, all.stage.recipient)).to.equal(before + given);
      await expectRefused(all, kind, await stepFailed(all, "UniswapV2Router: EXPIRED"));
    });

    it("reverts when one unit less than the minimum arrived", async () => {
      const all = await networkHelpers.loadFixture(swapStage);
      const named = kind.isFromNative ? ethers.ZeroAddress : await all.sold.getAddress();
      const tooLittle = { error: "ReceivedTooLittle", args: [named, ARRIVED - 1n, ARRIVED] };
      await expectRefused(all, kind, tooLittle, {}, ARRIVED - 1n);
    });

    it("reverts when a pool of the path has no code", async () => {
      const all = await networkHelpers.loadFixture(swapStage);
      const [first, last] = await Promise.all(kind.path(all).map((token) => addressOf(token)));
      const unpooled = await addressOf(await ethers.deployContract("PlainToken"));
      if (first === undefined || last === undefined) throw new Error("The path has no ends.");
      const failed = { error: "StepFailed", args: [0n, await all.uniswap.router.getAddress(), "0x"] };
      await expectRefused(all, kind, failed, { path: [first, unpooled, last] });
    });

    for (const payee of ["recipient", "executor"] as const) {
      it(`pays the recipient exactly the pools' output when they pay the ${payee}, on each repetition`, async () => {
        const all = await networkHelpers.loadFixture(swapStage);
        const executor = await addressOf(all.stage.executor);
        for (const _ of [1, 2]) {
          const given = await quote(all, kind, ARRIVED);
          const before = await kind.balanceOfBought(all, all.stage.recipient);
          await swap(all, kind, payee === "executor" ? { executor } : {});
          expect(await kind.balanceOfBought(all, all.stage.recipient)).to.equal(before + given);
          await expectClean(all);
        }
      });
    }
  });
}

describe("swaps of tokens that take a fee", () => {
  /** A pool of a token that takes a tenth of every transfer, and the plain one. */
  async function feeStage() {
    const all = await deploySwapStage(ethers);
    const fee = await ethers.deployContract("FeeOnTransferToken", [1_000]);
    await makePool(ethers, all.uniswap, [all.sold, fee], async (pool) => {
      await all.sold.mint(pool, 10n ** 12n);
      await fee.mint(pool, 10n ** 12n);
    });
    return { all, fee };
  }

  const [kind] = SWAP_KINDS;
  if (kind === undefined) throw new Error("There are no recipes.");

  it("a swap of fee-taking tokens: the proxy reverts when the swap router accepts but the recipient gained too little", async () => {
    const { all, fee } = await networkHelpers.loadFixture(feeStage);
    const bought = { ...kind, path: ({ sold }: SwapStage) => [sold, fee] as const };
    const given = await quote(all, bought, ARRIVED);
    const once = given - given / 10n;
    const tooLow = async (gained: bigint) => ({
      error: "OutputTooLow",
      args: [await fee.getAddress(), gained, given],
    });
    await expectRefused(all, bought, await tooLow(once));
    // The second attempt uses only the first one's rest on the service's router.
    const executor = await addressOf(all.stage.executor);
    await expectRefused(all, bought, await tooLow(once - once / 10n), { executor }, 0n);
  });

  it("a swap of fee-taking tokens: the pool reverts when the sold token takes the fee", async () => {
    const { all, fee } = await networkHelpers.loadFixture(feeStage);
    const selling: SwapKind = {
      ...kind,
      path: ({ sold }) => [fee, sold],
      arrive: async ({ router }, amount) => {
        await fee.mint(router, amount);
        return 0n;
      },
    };
    const reason = reasonOf(all.stage, "UniswapV2: K");
    const failed = { error: "StepFailed", args: [0n, await all.uniswap.router.getAddress(), reason] };
    await expectRefused(all, selling, failed, { minimumOutput: 1n, minimumReceived: 1n });
    expect(await fee.balanceOf(all.router)).to.equal(ARRIVED);
  });
});
