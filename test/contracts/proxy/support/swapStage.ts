import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { expect } from "chai";
import type { Addressable, BaseContract } from "ethers";
import type { Call } from "../../../../src/calls/Call.ts";
import {
  swapFromNativeOnUniswapV2,
  swapOnUniswapV2,
  swapToNativeOnUniswapV2,
  type UniswapV2SwapParameters,
} from "../../../../src/calls/recipes/uniswapV2.ts";
import { deployUniswapV2, makePool } from "../../../helpers/contracts/uniswapV2.ts";
import { addressOf, deployRecipeStage, runCalls } from "./recipeStage.ts";

/** The live amount, known only on arrival. */
export const ARRIVED = 7_003_217n;
const RESERVE = 10n ** 12n;

/** Two tokens and wrapped native currency, each pair with a pool of equal reserves. */
export async function deploySwapStage(ethers: HardhatEthers) {
  const all = await deployRecipeStage(ethers);
  const sold = await ethers.deployContract("PlainToken");
  const bought = await ethers.deployContract("PlainToken");
  const wrapped = await ethers.deployContract("LocalWrappedNative", ["Wrapped", "WETH"]);
  const uniswap = await deployUniswapV2(ethers, wrapped);
  const wrap = async (pool: string) => {
    await wrapped.deposit({ value: RESERVE });
    await wrapped.transfer(pool, RESERVE);
  };
  const pools = {
    tokens: await makePool(ethers, uniswap, [sold, bought], async (pool) => {
      await sold.mint(pool, RESERVE);
      await bought.mint(pool, RESERVE);
    }),
    sold: await makePool(ethers, uniswap, [sold, wrapped], async (pool) => {
      await sold.mint(pool, RESERVE);
      await wrap(pool);
    }),
    bought: await makePool(ethers, uniswap, [wrapped, bought], async (pool) => {
      await bought.mint(pool, RESERVE);
      await wrap(pool);
    }),
  };
  const latest = await ethers.provider.getBlock("latest");
  if (latest === null) throw new Error("The chain has no blocks.");
  return {
    ...all,
    ethers,
    sold,
    bought,
    wrapped,
    uniswap,
    pools,
    deadline: BigInt(latest.timestamp) + 3_600n,
  };
}

export type SwapStage = Awaited<ReturnType<typeof deploySwapStage>>;

/** A recipe with its sold and bought currency. */
export interface SwapKind {
  readonly name: string;
  readonly isFromNative: boolean;
  path(stage: SwapStage): readonly [BaseContract, BaseContract];
  /** Sends the arriving amount to the router; returns the wei to send with the call. */
  arrive(stage: SwapStage, amount: bigint): Promise<bigint>;
  compose(stage: SwapStage, parameters: UniswapV2SwapParameters): Promise<readonly Call[]>;
  balanceOfBought(stage: SwapStage, account: Addressable): Promise<bigint>;
}

async function arriveOnRouter({ router, sold }: SwapStage, amount: bigint): Promise<bigint> {
  await sold.mint(router, amount);
  return 0n;
}

export const SWAP_KINDS: readonly SwapKind[] = [
  {
    name: "swapOnUniswapV2",
    isFromNative: false,
    path: ({ bought, sold }) => [sold, bought],
    arrive: arriveOnRouter,
    compose: async (_stage, parameters) => swapOnUniswapV2(parameters),
    balanceOfBought: ({ bought }, account) => bought.balanceOf(account),
  },
  {
    name: "swapToNativeOnUniswapV2",
    isFromNative: false,
    path: ({ sold, wrapped }) => [sold, wrapped],
    arrive: arriveOnRouter,
    compose: async (_stage, parameters) => swapToNativeOnUniswapV2(parameters),
    balanceOfBought: ({ ethers }, account) => ethers.provider.getBalance(account),
  },
  {
    name: "swapFromNativeOnUniswapV2",
    isFromNative: true,
    path: ({ bought, wrapped }) => [wrapped, bought],
    arrive: async (_stage, amount) => amount,
    compose: async ({ router }, parameters) =>
      swapFromNativeOnUniswapV2({ ...parameters, router: await addressOf(router) }),
    balanceOfBought: ({ bought }, account) => bought.balanceOf(account),
  },
];

/** Output of the pools for an amount now, by Uniswap's own arithmetic. */
export async function quote(stage: SwapStage, kind: SwapKind, amount: bigint): Promise<bigint> {
  const amounts: readonly bigint[] = await stage.uniswap.router.getFunction("getAmountsOut")(
    amount,
    kind.path(stage),
  );
  const output = amounts.at(-1);
  if (output === undefined) throw new Error("The swap router quoted nothing.");
  return output;
}

/** A swap of the arriving amount; by default for exactly the pools' present output. */
export async function swapParameters(
  stage: SwapStage,
  kind: SwapKind,
  changes: Partial<UniswapV2SwapParameters> = {},
): Promise<UniswapV2SwapParameters> {
  const path = await Promise.all(kind.path(stage).map((token) => addressOf(token)));
  return {
    ...stage.parties,
    deadline: stage.deadline,
    minimumOutput: await quote(stage, kind, ARRIVED),
    minimumReceived: ARRIVED,
    path,
    swapRouter: await addressOf(stage.uniswap.router as BaseContract),
    ...changes,
  };
}

/** Lets an amount arrive, and swaps it from the service's router. */
export async function swap(stage: SwapStage, kind: SwapKind, changes: Partial<UniswapV2SwapParameters> = {}) {
  const parameters = await swapParameters(stage, kind, changes);
  const value = await kind.arrive(stage, ARRIVED);
  return runCalls(stage, await kind.compose(stage, parameters), value);
}

/** Expects a swap to revert whole, with a reason of the executor. */
export async function expectRefused(
  stage: SwapStage,
  kind: SwapKind,
  { error, args }: { error: string; args: readonly unknown[] },
  changes: Partial<UniswapV2SwapParameters> = {},
  arrived = ARRIVED,
): Promise<void> {
  const calls = await kind.compose(stage, await swapParameters(stage, kind, changes));
  const value = await kind.arrive(stage, arrived);
  const before = await worldOf(stage, kind);
  const refused = (call: Promise<unknown>) =>
    expect(call)
      .to.be.revertedWithCustomError(stage.stage.executor, error)
      .withArgs(...args);
  if (kind.isFromNative) {
    // The service's router drops the reason when it spends native currency, so the test makes the router's call of
    // the proxy itself.
    await expect(runCalls(stage, calls, value)).to.be.revertedWithCustomError(stage.router, "CallFailed");
    const [, , data] = stage.router.interface.decodeFunctionData(
      "cleanupNativeViaCall",
      calls[0]?.data ?? "0x",
    );
    await refused(stage.stage.stranger.sendTransaction({ to: stage.stage.proxy, data, value }));
  } else {
    await refused(runCalls(stage, calls, value));
  }
  expect(await worldOf(stage, kind)).to.deep.equal(before);
}

/** Balances of pools, recipient and router. */
async function worldOf(stage: SwapStage, kind: SwapKind) {
  const { pools, router, sold } = stage;
  const reserves = await Promise.all(
    Object.values(pools).map(async (pool) => {
      const [one, other]: readonly bigint[] = await pool.getFunction("getReserves")();
      return [one, other];
    }),
  );
  const bought = await kind.balanceOfBought(stage, stage.stage.recipient);
  return { arrived: await sold.balanceOf(router), bought, reserves };
}
