import type { Generated } from "kysely";

/** Balances of sponsors, one per API key. The balance is the sum of the key's entries in the ledger. */
export type SponsorsTable = {
  api_key_id: string;
  /** Millionths of a dollar, as decimal digits; below zero only after a reorg. */
  balance: string;
};

/** Append-only ledger of the sponsors' balances. */
export type SponsorEntriesTable = {
  seq: Generated<number>;
  api_key_id: string;
  /** `null` for a balance that was set. */
  request_id: string | null;
  /** Number of earlier entries of the request: even ones charge the sponsor, odd ones repay it. */
  turn: number | null;
  /** Change of the balance in millionths of a dollar, as decimal digits. */
  amount: string;
  at: number;
};
