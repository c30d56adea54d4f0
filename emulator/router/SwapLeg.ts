import type { LocalCurrency } from "../chains/Chain.ts";
import { inputFor, outputOf, type Reserves } from "../money/swapMath.ts";

/**
 * How one currency becomes another on the same chain. Without pools it is what it was, or wraps or unwraps the native
 * currency, one for one.
 */
export type SwapLeg = {
  readonly from: LocalCurrency;
  readonly to: LocalCurrency;
  /** The currencies that it goes through, both ends included; only the first one when nothing changes. */
  readonly path: readonly LocalCurrency[];
  /** The pools on the way, in order, as they were read. */
  readonly pools: readonly Reserves[];
};

/** The leg that changes nothing. */
export function noLeg(currency: LocalCurrency): SwapLeg {
  return { from: currency, path: [currency], pools: [], to: currency };
}

/** Whether anything happens on a leg. */
export function isLeg({ from, to }: SwapLeg): boolean {
  return from.address !== to.address;
}

/** Whether a leg trades, rather than wraps. */
export function isSwap({ pools }: SwapLeg): boolean {
  return pools.length > 0;
}

/** What comes out of a leg, to the unit. */
export function legOutput({ pools }: SwapLeg, amountIn: bigint): bigint {
  return pools.reduce((amount, pool) => outputOf(pool, amount), amountIn);
}

/** What has to go into a leg, to the unit; `undefined` where a pool does not hold enough. */
export function legInput({ pools }: SwapLeg, amountOut: bigint): bigint | undefined {
  return pools.reduceRight<bigint | undefined>(
    (amount, pool) => (amount === undefined ? undefined : inputFor(pool, amount)),
    amountOut,
  );
}

/** The addresses of a leg's path as intents store it: empty when nothing happens. */
export function pathOf(leg: SwapLeg): readonly `0x${string}`[] {
  return isLeg(leg) ? leg.path.map(({ address }) => address) : [];
}
