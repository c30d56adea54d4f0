/** What a pool holds, as seen from who swaps. */
export type Reserves = { readonly reserveIn: bigint; readonly reserveOut: bigint };

/** Uniswap v2 keeps 0.3 % of what goes in: 997 parts of 1000 are swapped. */
const kept = 997n;
const whole = 1000n;

/**
 * What a pool gives for an input, to the unit: `getAmountOut` of Uniswap's library.
 *
 * @returns Zero where the pool would give nothing, or has nothing.
 */
export function amountOutOf({ reserveIn, reserveOut }: Reserves, amountIn: bigint): bigint {
  if (amountIn === 0n || reserveIn === 0n || reserveOut === 0n) return 0n;
  const swapped = amountIn * kept;
  return (swapped * reserveOut) / (reserveIn * whole + swapped);
}

/**
 * What a pool wants for an output, to the unit: `getAmountIn` of Uniswap's library.
 *
 * @returns `undefined` where the pool does not hold that much.
 */
export function amountInFor({ reserveIn, reserveOut }: Reserves, amountOut: bigint): bigint | undefined {
  if (reserveIn === 0n || amountOut >= reserveOut) return undefined;
  return (reserveIn * amountOut * whole) / ((reserveOut - amountOut) * kept) + 1n;
}
