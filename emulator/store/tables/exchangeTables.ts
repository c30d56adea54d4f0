/** Balances on the perps exchange. Its currencies are in the form of quotes. */
export type ExchangeBalancesTable = {
  account: string;
  currency: string;
  /** Smallest units. */
  amount: string;
};

/** Executed actions of the perps exchange. Each has used a nonce of its account, even if it failed and moved nothing. */
export type ExchangeActionsTable = {
  /** Height: consecutive numbers from 1. */
  id: number;
  hash: string;
  /** Recovered signer. */
  account: string;
  nonce: number;
  destination: string;
  /** Currency that leaves the account; another dex can receive it. */
  sent_currency: string;
  currency: string;
  /** Smallest units. */
  amount: string;
  at: number;
  /** Why nothing moved; `null` after a transfer. */
  error: string | null;
  /** The posted request as JSON, its fields in the order of the schema. */
  request: string;
};

/** Signed statements of which nonce of a wallet pays for which order. */
export type NonceMappingsTable = {
  order_id: string;
  wallet: string;
  nonce: number;
  depositor: string;
  signature_chain_id: number;
  signature: string;
  at: number;
};
