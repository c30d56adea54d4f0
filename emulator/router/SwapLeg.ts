import type { LocalCurrency } from "../chains/Chain.ts";
import { amountInFor, amountOutOf, type Reserves } from "../money/swapMath.ts";

/**
 * A conversion between two currencies of one chain. Without pools it changes nothing, or wraps or unwraps the
 * native currency one for one.
 */
export type SwapLeg = {
  readonly from: LocalCurrency;
  readonly to: LocalCurrency;
  /** Currencies on the way, both ends included; only the first when nothing changes. */
  readonly path: readonly LocalCurrency[];
  /** Reserves of the pools on the way, in order, as read from the chain. */
  readonly pools: readonly Reserves[];
};

/** Builds the leg that changes nothing. */
export function noLeg(currency: LocalCurrency): SwapLeg {
  return { from: currency, path: [currency], pools: [], to: currency };
}

/** Whether a leg changes the currency. */
export function isLeg({ from, to }: SwapLeg): boolean {
  return from.address !== to.address;
}

/** Whether a leg trades in pools, rather than wraps. */
export function isSwap({ pools }: SwapLeg): boolean {
  return pools.length > 0;
}

/** Exact output of a leg. */
export function legOutput({ pools }: SwapLeg, amountIn: bigint): bigint {
  return pools.reduce((amount, pool) => amountOutOf(pool, amount), amountIn);
}

/** Exact input of a leg; `undefined` where a pool holds too little. */
export function legInput({ pools }: SwapLeg, amountOut: bigint): bigint | undefined {
  return pools.reduceRight<bigint | undefined>(
    (amount, pool) => (amount === undefined ? undefined : amountInFor(pool, amount)),
    amountOut,
  );
}

/** Addresses of a leg's path as intents store it; empty when nothing changes. */
export function pathOf(leg: SwapLeg): readonly `0x${string}`[] {
  return isLeg(leg) ? leg.path.map(({ address }) => address) : [];
}
