import type { Generated, Insertable, Selectable } from "kysely";
import type { RefundFailReason } from "../../src/schema/refundFailReason.ts";
import type { RequestStatus } from "../../src/schema/requestStatus.ts";
import type { PayingKind } from "./transactionKinds.ts";

/**
 * Ids, hashes and EVM addresses are lower-case hex; amounts are decimal strings in smallest units; dollars are whole
 * micro-dollars; times are unix milliseconds; what is called JSON is stored as text.
 */
export type Tables = {
  api_keys: ApiKeysTable;
  secrets: SecretsTable;
  requests: RequestsTable;
  request_hashes: RequestHashesTable;
  request_features: RequestFeaturesTable;
  replacements: ReplacementsTable;
  events: EventsTable;
  deposits: DepositsTable;
  transactions: TransactionsTable;
  own_transactions: OwnTransactionsTable;
  permits: PermitsTable;
  app_fees: AppFeesTable;
  price_changes: PriceChangesTable;
  cursors: CursorsTable;
  blocks: BlocksTable;
  chains: ChainsTable;
  settings: SettingsTable;
  control_log: ControlLogTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_attempts: WebhookAttemptsTable;
};

/** Keys stay readable: they are the secrets that webhooks are signed with. Revoked ones stay, for the requests they made. */
export type ApiKeysTable = {
  id: string;
  key: string;
  name: string;
  is_elevated: 0 | 1;
  created_at: number;
  revoked_at: number | null;
};

/** Secrets of the emulator itself, by name. */
export type SecretsTable = { name: string; value: string };

/** What a request is, in the words of `GET /requests/v3`. */
export type RequestType =
  | "Bridge"
  | "Crosschain Swap"
  | "Same-chain Swap"
  | "Send"
  | "Wrap"
  | "Unwrap"
  | "Call";

/** One row a quote. */
export type RequestsTable = {
  id: string;
  order_id: string;
  status: RequestStatus;
  request_type: RequestType;
  user: string;
  sender: string;
  recipient: string;
  refund_to: string;
  referrer: string | null;
  api_key_id: string | null;
  deposit_address: string | null;
  /** The request that this one is a duplicate, retry or refund of. */
  parent_id: string | null;
  origin_chain_id: number;
  destination_chain_id: number;
  currency_in: string;
  currency_out: string;
  currency_in_symbol: string;
  currency_out_symbol: string;
  /** What the input is worth; see `microDollars`. */
  amount_usd: number;
  app_fees_usd: number;
  /** From the accepted deposit to success. */
  fill_time_ms: number | null;
  /**
   * What arrived, in smallest units of the currency out; nothing before success. Of a refund that was swapped back: what came
   * of it, of the currency in.
   */
  delivered: string | null;
  /** Block of the deposit. */
  origin_block: number | null;
  fail_reason: string | null;
  refund_fail_reason: string | null;
  failed_tx_hash: string | null;
  failed_tx_block: number | null;
  expires_at: number | null;
  created_at: number;
  updated_at: number;
  /** Extra context for people, such as a decoded revert. */
  details: string | null;
  /** JSON of the call that failed: `from`, `to`, `data`, `value`. */
  failed_call: string | null;
  /** JSON of what the solver needs; see `Intent`. */
  intent: string;
  /** JSON of what was answered and records repeat; see `StoredQuote`. */
  quote: string;
  /** A partner's own id of the request. */
  partner_id: string | null;
};

/** Transactions that a request can be found by. */
export type RequestHashesTable = { hash: string; kind: "deposit" | "fill" | "refund"; request_id: string };

/** What a request made use of, such as `app_fees`. */
export type RequestFeaturesTable = { request_id: string; feature: string };

/** One row for each time that requests were taken away or put back, whoever did it; never taken away itself. */
export type ReplacementsTable = { seq: Generated<number> };

/**
 * Append-only: every change of a request, written in the same transaction as the change. Rows become visible in the order
 * of `seq`, whoever writes them.
 */
export type EventsTable = {
  seq: Generated<number>;
  request_id: string;
  trigger: string;
  status: RequestStatus;
  /** JSON. */
  data: string;
  at: number;
};

/** Money that arrived, once each: the id is chain, transaction and place in it. */
export type DepositsTable = {
  id: string;
  chain_id: number;
  tx_hash: string;
  block_number: number;
  block_hash: string | null;
  /** When the block says it was made. */
  block_at: number | null;
  tag: string;
  request_id: string | null;
  depositor: string;
  currency: string;
  amount: string;
  /**
   * `accepted` is filled, `refused` goes back, `abandoned` should have gone back and could not, `unmatched` belongs to no
   * request, `vanished` is not on its chain any more.
   */
  outcome: "accepted" | "refused" | "abandoned" | "unmatched" | "vanished";
  reason: string | null;
  /** `failure` once the transaction is no longer on its chain. */
  tx_status: Generated<"success" | "failure">;
  /** What the transaction cost its sender, in wei. */
  fee: string | null;
  at: number;
  /** The transaction as it was mined: calldata, sender, whom it called, and wei. */
  tx_data: string | null;
  tx_from: string | null;
  tx_to: string | null;
  tx_value: string | null;
  /** What the transaction swapped into the deposit, in smallest units; nothing where it swapped nothing. */
  paid: string | null;
  /** What the solver still has to do; nothing once that is signed and stored, or given up. */
  todo: "fill" | "refund" | null;
  /** It waits until then. */
  not_before: number | null;
  /** Until then a process has it, by the database's clock: where several share one. */
  claimed_until: number | null;
};

/**
 * Transactions of the solver, signed and stored before they are sent. A `cancel` moves no money: it takes the nonce of a
 * fill or refund that must not be mined, which names it as `replaced_by`. At most one fill and one refund of a deposit are
 * not replaced.
 */
export type TransactionsTable = {
  id: Generated<number>;
  deposit_id: string;
  request_id: string;
  kind: PayingKind | "cancel";
  chain_id: number;
  nonce: number;
  hash: string;
  /** Of a `cancel`, `reverted` says that the transaction it replaced was mined in its place, and reverted. */
  state: "signed" | "mined" | "reverted";
  block_number: number | null;
  block_hash: string | null;
  /** When the block says it was made. */
  block_at: number | null;
  gas_used: number | null;
  /** What it cost the solver, in wei. */
  fee: string | null;
  at: number;
  raw: string;
  /** Calldata. */
  tx_data: string | null;
  /** Id of the `cancel` with the same nonce. */
  replaced_by: number | null;
  /** What the payment brought, in smallest units; only where another one ended the request. */
  delivered: string | null;
  /** Its request gets this reason once the transaction is mined. */
  refund_fail_reason: RefundFailReason | null;
  /** Its request gets these details once the transaction is mined. */
  details: string | null;
};

/** Users' own transactions that do all that a request asks for: origin and fill in one. */
export type OwnTransactionsTable = {
  request_id: string;
  hash: string;
  chain_id: number;
  block_number: number;
  block_hash: string;
  /** When the block says it was made. */
  block_at: number;
  /** The transaction as it was mined: sender, whom it called, and wei. */
  from_address: string;
  tx_to: string | null;
  value: string;
  status: "success" | "failure";
  /** What it cost its sender, in wei. */
  fee: string;
  at: number;
  /** Calldata. */
  tx_data: string;
  /** What it spent of the input, in smallest units. */
  paid: string | null;
};

/**
 * Signatures that users handed in to pay with, one a request, and the transactions by which the service uses them: those are
 * signed and stored before they are sent.
 */
export type PermitsTable = {
  request_id: string;
  /** See `PermitWay`. */
  way: "eip3009" | "permit" | "permit2";
  signature: string;
  /**
   * `due` is to be used, `signed` is being sent, `dropped` was not used in the end. `returned` went back to the user in a
   * transaction that only he can send.
   */
  state: "due" | "signed" | "mined" | "reverted" | "dropped" | "returned";
  chain_id: number;
  /** Of the solver's transaction, as what follows; `null` until it is signed. */
  nonce: number | null;
  hash: string | null;
  raw: string | null;
  block_number: number | null;
  block_hash: string | null;
  /** When the block says it was made. */
  block_at: number | null;
  gas_used: number | null;
  /** What it cost the solver, in wei. */
  fee: string | null;
  /** When the signature was handed in. */
  at: number;
};

/** What integrators earned by requests that ended in success, in USDC; see `appFeeCurrency`. */
export type AppFeesTable = {
  request_id: string;
  /** Which of the request's fees it is. */
  place: number;
  recipient: string;
  chain_id: number;
  currency: string;
  bps: number;
  /** Smallest units. */
  amount: string;
  at: number;
};

/** Every change of prices; see `PriceHistory`. */
export type PriceChangesTable = {
  seq: Generated<number>;
  at: number;
  /** JSON: dollars of a whole token, by symbol, of all that is set. */
  prices: string;
};

/** How far each chain has been searched for deposits. */
export type CursorsTable = { chain_id: number; next_block: number };

/** The last blocks that were searched, by which it is noticed that a chain was reorganised. */
export type BlocksTable = { chain_id: number; number: number; hash: string };

/** See `ChainRecord`. */
export type ChainsTable = { chain_id: number; genesis_hash: string; contracts: string; currencies: string };

/** JSON by name. */
export type SettingsTable = { key: string; value: string };

/** What was done on purpose, and the faults that fired; append-only. */
export type ControlLogTable = {
  seq: Generated<number>;
  at: number;
  kind: string;
  fault_id: string | null;
  request_id: string | null;
  /** JSON. */
  data: string;
};

/** Where the statuses of a key's requests are posted to; one endpoint a key. */
export type WebhooksTable = {
  api_key_id: string;
  url: string;
  is_enabled: 0 | 1;
  /** JSON: custom headers by name. */
  headers: string;
  /** `seq` of the last event that was looked at for this endpoint. */
  position: number;
  created_at: number;
  updated_at: number;
};

/** What is posted, once for each event and endpoint, and again when somebody asks for it. */
export type WebhookDeliveriesTable = {
  id: Generated<number>;
  api_key_id: string;
  /** Not a reference: what was delivered outlives its request, and a test is of none. */
  request_id: string;
  /** `null` for what did not come from the log. */
  event_seq: number | null;
  resend_of: number | null;
  kind: "event" | "resend" | "test";
  status: RequestStatus;
  /** The body, byte for byte. */
  payload: string;
  /** Order within the request; those of one rank go by `id`. */
  rank: number;
  /** What goes wrong on purpose. */
  fault: "drop" | "duplicate" | "reorder" | null;
  /** `failed` was given up, `dropped` was lost on purpose, `cancelled` lost its endpoint. */
  state: "pending" | "delivered" | "failed" | "dropped" | "cancelled";
  attempts: number;
  /** Not before this time of the emulator's clock. */
  next_at: number;
  /** The process that posts it at the moment, and until when (wall clock) nobody else may. */
  claimed_by: string | null;
  claimed_until: number | null;
  created_at: number;
  finished_at: number | null;
};

/** One POST of a delivery. */
export type WebhookAttemptsTable = {
  id: Generated<number>;
  delivery_id: number;
  at: number;
  /** `null` when there was no answer. */
  status_code: number | null;
  /** Why there was none. */
  error: string | null;
  duration_ms: number;
  /** The beginning of the answer's body. */
  answer: string | null;
};

export type ApiKeyRow = Selectable<ApiKeysTable>;
export type RequestRow = Selectable<RequestsTable>;
export type NewRequestRow = Insertable<RequestsTable>;
export type RequestHashRow = Selectable<RequestHashesTable>;
export type EventRow = Selectable<EventsTable>;
export type DepositRow = Selectable<DepositsTable>;
export type TransactionRow = Selectable<TransactionsTable>;
export type OwnTransactionRow = Selectable<OwnTransactionsTable>;
export type PermitRow = Selectable<PermitsTable>;
export type AppFeeRow = Selectable<AppFeesTable>;
export type ControlLogRow = Selectable<ControlLogTable>;
export type WebhookRow = Selectable<WebhooksTable>;
export type WebhookDeliveryRow = Selectable<WebhookDeliveriesTable>;
export type NewWebhookDeliveryRow = Insertable<WebhookDeliveriesTable>;
export type WebhookAttemptRow = Selectable<WebhookAttemptsTable>;
