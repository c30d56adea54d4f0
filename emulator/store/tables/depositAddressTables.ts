import type { Generated } from "kysely";
import type { DepositAddressType } from "../../../src/schema/request/depositAddressType.ts";

/** Addresses that requests are paid at by plain transfer. */
export type DepositAddressesTable = {
  address: string;
  /** The request that the address was made for. Later payments have requests of their own. */
  request_id: string;
  type: DepositAddressType;
  /** Chain of the quote. The address is the same on every chain. */
  chain_id: number;
  /** Receives refunds; `null` for the sender of the payment. */
  refund_to: string | null;
  /** JSON of the quote's body, by which other payments are quoted. */
  quote_request: string;
  created_at: number;
  /** Last search for money at the address. */
  reindexed_at: number | null;
};

/** Payments to deposit addresses. */
export type AddressPaymentsTable = {
  /** Chain, transaction and what was paid; random for money that a reindex found. */
  id: string;
  address: string;
  chain_id: number;
  currency: string;
  amount: string;
  /** `null` for money that a reindex found. So are the transaction and its block. */
  sender: string | null;
  tx_hash: string | null;
  block_number: number | null;
  /**
   * `found` has no request yet, `assigned` pays for a request, `held` stays at the address until a reindex, `merged` is part of
   * the payment that the reindex recorded, `vanished` was removed by a reorg; see `paymentTransitions`.
   */
  state: "found" | "assigned" | "held" | "merged" | "vanished";
  request_id: string | null;
  at: number;
  /** Failed or waiting attempts so far. */
  attempts: Generated<number>;
  /** Earliest time of the next attempt; see `postponed`. */
  not_before: number | null;
};
