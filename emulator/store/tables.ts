import type { Generated, Insertable, Selectable } from "kysely";
import type { RequestStatus } from "../../src/schema/requestStatus.ts";

/** Ids, hashes and addresses are lower-case hex; amounts are decimal strings in smallest units; times are unix ms. */
export type Tables = {
  requests: RequestsTable;
  events: EventsTable;
  deposits: DepositsTable;
  transactions: TransactionsTable;
  cursors: CursorsTable;
};

/** One row a quote. `intent` holds what the solver needs to fill it; see `Intent`. */
export type RequestsTable = {
  id: string;
  order_id: string;
  status: RequestStatus;
  user: string;
  recipient: string;
  origin_chain_id: number;
  destination_chain_id: number;
  intent: string;
  fail_reason: string | null;
  refund_fail_reason: string | null;
  details: string | null;
  created_at: number;
  updated_at: number;
};

/** Append-only: every change of a request, written in the same transaction as the change. */
export type EventsTable = {
  seq: Generated<number>;
  request_id: string;
  trigger: string;
  status: RequestStatus;
  data: string;
  at: number;
};

/** Money that arrived, once each: the id is chain, transaction and place in it. */
export type DepositsTable = {
  id: string;
  chain_id: number;
  tx_hash: string;
  block_number: number;
  tag: string;
  request_id: string | null;
  depositor: string;
  currency: string;
  amount: string;
  /**
   * `accepted` is filled, `refused` goes back, `abandoned` should have gone back and could not, `unmatched` belongs to no
   * request.
   */
  outcome: "accepted" | "refused" | "abandoned" | "unmatched";
  reason: string | null;
  at: number;
};

/** Transactions of the solver, signed and stored before they are sent. At most one of a kind for each deposit. */
export type TransactionsTable = {
  id: Generated<number>;
  deposit_id: string;
  request_id: string;
  kind: "fill" | "refund";
  chain_id: number;
  nonce: number;
  hash: string;
  raw: string;
  state: "signed" | "mined" | "reverted";
  at: number;
};

/** How far each chain has been searched for deposits. */
export type CursorsTable = { chain_id: number; next_block: number };

export type RequestRow = Selectable<RequestsTable>;
export type NewRequestRow = Insertable<RequestsTable>;
export type EventRow = Selectable<EventsTable>;
export type DepositRow = Selectable<DepositsTable>;
export type TransactionRow = Selectable<TransactionsTable>;
