/**
 * Debits of signed claims from balances of app fees. They count while their request can still be paid: a claim that fails
 * returns its debits.
 */
export type AppFeeClaimsTable = {
  request_id: string;
  /** Index among the claim's debits. */
  place: number;
  wallet: string;
  chain_id: number;
  currency: string;
  /** Smallest units. */
  amount: string;
  signature: string;
  at: number;
};

/** Accepted fast fills, one per request. */
export type FastFillsTable = {
  request_id: string;
  /** The key that asked for it, and that the advance counts against. */
  api_key_id: string;
  /** The first recipient of the request's app fees, whose balance shows the advance; `null` without app fees. */
  wallet: string | null;
  /** Worth of all that leaves the solver, at that time: inventory, native currency and gas. */
  amount_usd: number;
  at: number;
};
