/** What a pool holds, and what it should be worth: the value of one unit of a token in units of the other. */
export type PoolState = {
  readonly reserveIn: bigint;
  readonly reserveOut: bigint;
  /** `reserveIn / reserveOut` afterwards, as a fraction. */
  readonly target: { readonly numerator: bigint; readonly denominator: bigint };
};

/** Uniswap v2 keeps three thousandths of what comes in. */
const feeNumerator = 997n;
const feeDenominator = 1_000n;

/** What comes out of a Uniswap v2 pool for `amountIn`; as the pair itself computes it. */
export function amountOutOf(amountIn: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  const taken = amountIn * feeNumerator;
  return (taken * reserveOut) / (reserveIn * feeDenominator + taken);
}

/**
 * How much somebody must put in for the pool to reach a price, fee included; zero or less when the pool is there already,
 * or would have to be traded the other way.
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

/** The largest whole number whose square is not above `value`. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}
