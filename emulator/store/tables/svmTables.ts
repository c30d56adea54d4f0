/**
 * The log of the SVM chain, one entry a slot. Its state follows from the entries in their order, so that a restart and
 * every process that shares the database arrive at the same state.
 */
export type SvmEntriesTable = {
  slot: number;
  /** A `void` transaction was not executed, and never will be. */
  kind: "genesis" | "transaction" | "void" | "balance";
  /** Base64 of a transaction's wire format; JSON of a set balance; empty for the genesis. */
  data: string;
  /** Base58; transactions refer to a recent one. */
  blockhash: string;
  /** Of a transaction, in base58. */
  signature: string | null;
  /** SHA-256 of a transaction's signed message, in hex. */
  message_hash: string | null;
  /** JSON of what a transaction did; see `SvmOutcome`. */
  outcome: string | null;
  at: number;
};

/** Accounts that a transaction names, to find the transactions of an account. */
export type SvmAccountEntriesTable = { address: string; slot: number };
