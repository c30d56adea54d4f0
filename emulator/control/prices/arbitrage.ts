/** Reserves of a pool and their target ratio. */
type PoolState = {
  readonly reserveIn: bigint;
  readonly reserveOut: bigint;
  /** `reserveIn / reserveOut` after the trade, as a fraction. */
  readonly target: { readonly numerator: bigint; readonly denominator: bigint };
};

/** Uniswap v2 charges a fee of 0.3 % on the input. */
const feeNumerator = 997n;
const feeDenominator = 1_000n;

/** Output of a Uniswap v2 pool for `amountIn`, computed as the pair does. */
export function amountOutOf(amountIn: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  const taken = amountIn * feeNumerator;
  return (taken * reserveOut) / (reserveIn * feeDenominator + taken);
}

/**
 * Input that moves the pool to its target price, fee included. Zero or less if the pool is at the price already or must be
 * traded the other way.
 *
 * With `a` in, the reserves become `rIn + a` and `1000·rIn·rOut / (1000·rIn + 997·a)`; their ratio is a quadratic in `a`.
 */
export function arbitrageInput({ reserveIn, reserveOut, target }: PoolState): bigint {
  const wanted = (reserveOut * target.numerator) / target.denominator;
  const a = feeNumerator;
  const b = (feeNumerator + feeDenominator) * reserveIn;
  const c = feeDenominator * reserveIn * (reserveIn - wanted);
  const discriminant = b * b - 4n * a * c;
  return discriminant < 0n ? 0n : (squareRoot(discriminant) - b) / (2n * a);
}

/** Integer square root, rounded down. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}
