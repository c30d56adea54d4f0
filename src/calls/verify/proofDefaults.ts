/** Default maximum gas of a transaction in a quote. */
export const usualMaximumGas = 10_000_000n;

/** Default maximum fee of a transaction in wei: above that of 500,000 gas at 150 gwei, with the usual margins. */
export const usualMaximumFee = 10n ** 17n;

/** Default maximum of a request's slippage, in basis points. */
export const usualMaximumSlippage = 1_000;
