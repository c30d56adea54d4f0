/** Default maximum gas of a transaction in a quote. */
export const usualMaximumGas = 10_000_000n;

/** Minimum seconds until an order's deadline: a deposit must be mined before it. */
export const leastOpenSeconds = 60;
