/** Reserves of a pool, from the swapper's side. */
export type Reserves = { readonly reserveIn: bigint; readonly reserveOut: bigint };

/** Uniswap v2 takes 0.3 % of the input: 997 of 1000 parts are swapped. */
export const swappedParts = 997n;
export const wholeParts = 1000n;

/** Exact output of a pool for an input: `getAmountOut` of Uniswap's library. */
export function amountOutOf({ reserveIn, reserveOut }: Reserves, amountIn: bigint): bigint {
  if (reserveIn === 0n) return 0n;
  const swapped = amountIn * swappedParts;
  return (swapped * reserveOut) / (reserveIn * wholeParts + swapped);
}

/** Exact input of a pool for an output: `getAmountIn` of Uniswap's library. */
export function amountInFor({ reserveIn, reserveOut }: Reserves, amountOut: bigint): bigint | undefined {
  if (reserveIn === 0n || amountOut >= reserveOut) return undefined;
  return (reserveIn * amountOut * wholeParts) / ((reserveOut - amountOut) * swappedParts) + 1n;
}
