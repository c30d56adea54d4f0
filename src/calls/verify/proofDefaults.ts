/** Default maximum gas of a transaction in a quote. */
export const usualMaximumGas = 10_000_000n;

/** Default maximum fee of a transaction in wei: above that of 500,000 gas at 150 gwei, with the usual margins. */
export const usualMaximumFee = 10n ** 17n;

/** Default maximum of a request's slippage, in basis points. */
export const usualMaximumSlippage = 1_000;

/**
 * A duration of the request, or the usual one. The policy's maximum holds whatever the request asks for.
 *
 * @example
 * boundedSeconds(604_800, 60, 3_600); // 60
 */
export function boundedSeconds(
  asked: number | undefined,
  maximum: number | undefined,
  usual: number,
): number {
  return Math.min(asked ?? maximum ?? usual, maximum ?? Number.POSITIVE_INFINITY);
}

/** Minimum seconds until an order's deadline: a deposit must be mined before it. */
export const leastOpenSeconds = 60;
