/** Sources of deposits that are money on a chain: a payment, or the part of one that an advance did not need. */
export const arrivedSources = ["payment", "excess"] as const;
