/** The most gas that one transaction of a quote may need, unless the caller names another limit. */
export const usualMaximumGas = 10_000_000n;

/** An order that ends sooner than this many seconds from now could be over before its deposit is mined. */
export const leastOpenSeconds = 60;
