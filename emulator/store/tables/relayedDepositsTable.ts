import type { Generated } from "kysely";

/**
 * Deposits that the service sends for their users, one per request. Transactions are signed and stored before they are
 * sent.
 */
export type RelayedDepositsTable = {
  request_id: string;
  /** See `relayedKinds`. Of a signature, the `PermitWay`. */
  kind: "eip3009" | "permit" | "permit2" | "raw-calls" | "sweep";
  /** JSON of what the user submitted; each kind has its own schema. */
  payload: string;
  /**
   * `due` waits for submission, `signed` is being sent, `dropped` was never used. `returned` was given back to the user in a
   * transaction that only the user can send.
   */
  state: "due" | "signed" | "mined" | "reverted" | "dropped" | "returned";
  chain_id: number;
  /** Nonce of the solver's transaction. It and the fields below are `null` until it is signed. */
  nonce: number | null;
  hash: string | null;
  raw: string | null;
  block_number: number | null;
  block_hash: string | null;
  /** Timestamp of the block. */
  block_at: number | null;
  gas_used: number | null;
  /** Cost for the solver, in wei. */
  fee: string | null;
  /** Submission time. */
  at: number;
  /** Failed or waiting attempts so far. */
  attempts: Generated<number>;
  /** Earliest time of the next attempt; see `postponed`. */
  not_before: number | null;
};
