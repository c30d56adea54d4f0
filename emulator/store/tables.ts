import type { Generated, Insertable, Selectable } from "kysely";
import type { RefundFailReason } from "../../src/schema/request/refundFailReason.ts";
import type { RequestStatus } from "../../src/schema/request/requestStatus.ts";
import type { BlocksTable, ChainsTable, CursorsTable } from "./tables/chainTables.ts";
import type { ControlLogTable, PriceChangesTable, SettingsTable } from "./tables/controlTables.ts";
import type { AddressPaymentsTable, DepositAddressesTable } from "./tables/depositAddressTables.ts";
import type { DepositsTable } from "./tables/depositsTable.ts";
import type {
  ExchangeActionsTable,
  ExchangeBalancesTable,
  NonceMappingsTable,
} from "./tables/exchangeTables.ts";
import type { AppFeeClaimsTable, FastFillsTable } from "./tables/obligationTables.ts";
import type { RelayedDepositsTable } from "./tables/relayedDepositsTable.ts";
import type { SponsorEntriesTable, SponsorsTable } from "./tables/sponsorTables.ts";
import type { SvmAccountEntriesTable, SvmEntriesTable } from "./tables/svmTables.ts";
import type { WebhookAttemptsTable, WebhookDeliveriesTable, WebhooksTable } from "./tables/webhookTables.ts";
import type { PayingKind } from "./transactionKinds.ts";

/**
 * Ids, hashes and EVM addresses are lower-case hex; amounts are decimal strings in smallest units; dollars are whole
 * micro-dollars; times are unix milliseconds; JSON is stored as text.
 */
export type Tables = {
  api_keys: ApiKeysTable;
  secrets: SecretsTable;
  requests: RequestsTable;
  request_hashes: RequestHashesTable;
  request_features: RequestFeaturesTable;
  request_routes: RequestRoutesTable;
  events: EventsTable;
  deposits: DepositsTable;
  transactions: TransactionsTable;
  same_chain_transactions: SameChainTransactionsTable;
  relayed_deposits: RelayedDepositsTable;
  deposit_addresses: DepositAddressesTable;
  address_payments: AddressPaymentsTable;
  exchange_actions: ExchangeActionsTable;
  exchange_balances: ExchangeBalancesTable;
  nonce_mappings: NonceMappingsTable;
  app_fees: AppFeesTable;
  sponsors: SponsorsTable;
  sponsor_entries: SponsorEntriesTable;
  app_fee_claims: AppFeeClaimsTable;
  fast_fills: FastFillsTable;
  price_changes: PriceChangesTable;
  cursors: CursorsTable;
  blocks: BlocksTable;
  chains: ChainsTable;
  settings: SettingsTable;
  control_log: ControlLogTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_attempts: WebhookAttemptsTable;
  svm_entries: SvmEntriesTable;
  svm_account_entries: SvmAccountEntriesTable;
};

/** Keys are stored in clear: webhooks are signed with them. Revoked keys stay for the requests that refer to them. */
type ApiKeysTable = {
  id: string;
  key: string;
  name: string;
  is_elevated: 0 | 1;
  created_at: number;
  revoked_at: number | null;
};

/** Secrets of the emulator itself, by name. */
type SecretsTable = { name: string; value: string };

/** Request type, as `GET /requests/v3` names it. */
export type RequestType =
  | "Bridge"
  | "Crosschain Swap"
  | "Same-chain Swap"
  | "Send"
  | "Wrap"
  | "Unwrap"
  | "Call";

/** One row per quote. */
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
  /** The original request of a duplicate, retry or refund. */
  parent_id: string | null;
  origin_chain_id: number;
  destination_chain_id: number;
  currency_in: string;
  currency_out: string;
  currency_in_symbol: string;
  currency_out_symbol: string;
  /** Worth of the input; see `microDollars`. */
  amount_usd: number;
  app_fees_usd: number;
  /** The sponsor's part of the fees in millionths of a dollar, as decimal digits; `null` without a sponsor. */
  sponsored_usd: string | null;
  /** Time from the accepted deposit to success. */
  fill_time_ms: number | null;
  /**
   * Delivered amount in smallest units of the output currency; `null` before success. A refund that was swapped back
   * stores the refunded amount, in the input currency.
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
  /** JSON of the solver's terms; see `Intent`. */
  intent: string;
  /** JSON of the answer that records repeat; see `StoredQuote`. */
  quote: string;
  /** A partner's own id of the request. */
  partner_id: string | null;
  /** Id in `request_routes`, for searches. */
  route_id: number | null;
  /** Bits of its rows of `request_features`; see `featureBits`. */
  features: number;
};

/** Transactions by which a request is found. */
type RequestHashesTable = { hash: string; kind: "deposit" | "fill" | "refund"; request_id: string };

/** Features that a request used, such as `app_fees`. */
type RequestFeaturesTable = { request_id: string; feature: string };

/**
 * Combinations of chains, currencies and type that requests have: far fewer than requests, so that conditions on them are
 * checked once each. Symbols are in lower case.
 */
export type RequestRoutesTable = {
  id: Generated<number>;
  request_type: RequestType;
  origin_chain_id: number;
  destination_chain_id: number;
  currency_in: string;
  currency_out: string;
  currency_in_symbol: string;
  currency_out_symbol: string;
};

/**
 * Append-only log of every change of a request, written in the same transaction as the change. Rows become visible in the
 * order of `seq`, across all processes.
 */
type EventsTable = {
  seq: Generated<number>;
  request_id: string;
  trigger: string;
  status: RequestStatus;
  /** JSON; see `parseEventData`. */
  data: string;
  at: number;
};

/**
 * Transactions of the solver, signed and stored before they are sent. A `cancel` moves no money: it takes the nonce of a
 * fill or refund that must not be mined, which names it as `replaced_by`. At most one fill and one refund of a deposit are
 * not replaced.
 */
type TransactionsTable = {
  id: Generated<number>;
  deposit_id: string;
  request_id: string;
  kind: PayingKind | "cancel";
  chain_id: number;
  nonce: number;
  hash: string;
  /** Of a `cancel`, `reverted` says that the transaction it replaced was mined in its place: it reverted, or paid a second time. */
  state: "signed" | "mined" | "reverted";
  block_number: number | null;
  block_hash: string | null;
  /** Timestamp of the block. */
  block_at: number | null;
  gas_used: number | null;
  /** Cost for the solver, in wei. */
  fee: string | null;
  at: number;
  raw: string;
  /** Calldata. */
  tx_data: string | null;
  /** Id of the `cancel` with the same nonce. */
  replaced_by: number | null;
  /** Its request gets this reason once the transaction is mined. */
  refund_fail_reason: RefundFailReason | null;
  /** Its request gets these details once the transaction is mined. */
  details: string | null;
};

/** Users' same-chain transactions, which carry out a whole request. */
type SameChainTransactionsTable = {
  request_id: string;
  hash: string;
  chain_id: number;
  block_number: number;
  block_hash: string;
  /** Timestamp of the block. */
  block_at: number;
  /** The mined transaction: sender, target, and value in wei. */
  from_address: string;
  tx_to: string | null;
  value: string;
  status: "success" | "failure";
  /** Gas cost for the sender, in wei. */
  fee: string;
  at: number;
  /** Calldata. */
  tx_data: string;
  /** Spent input, in smallest units. */
  paid: string | null;
};

/** Integrators' earnings by successful requests, in USDC; see `appFeeCurrency`. */
type AppFeesTable = {
  request_id: string;
  /** Index among the request's app fees. */
  place: number;
  recipient: string;
  chain_id: number;
  currency: string;
  bps: number;
  /** Smallest units. */
  amount: string;
  at: number;
};

export type ApiKeyRow = Selectable<ApiKeysTable>;
export type RequestRow = Selectable<RequestsTable>;
/** A request without the columns for searches; see `withSearchFacts`. */
export type NewRequest = Omit<Insertable<RequestsTable>, "features" | "route_id">;
export type RequestHashRow = Selectable<RequestHashesTable>;
export type EventRow = Selectable<EventsTable>;
export type DepositRow = Selectable<DepositsTable>;
export type TransactionRow = Selectable<TransactionsTable>;
export type SameChainTransactionRow = Selectable<SameChainTransactionsTable>;
export type RelayedDepositRow = Selectable<RelayedDepositsTable>;
export type DepositAddressRow = Selectable<DepositAddressesTable>;
export type AddressPaymentRow = Selectable<AddressPaymentsTable>;
export type ExchangeActionRow = Selectable<ExchangeActionsTable>;
export type NonceMappingRow = Selectable<NonceMappingsTable>;
export type AppFeeRow = Selectable<AppFeesTable>;
export type SvmEntryRow = Selectable<SvmEntriesTable>;
export type ControlLogRow = Selectable<ControlLogTable>;
export type WebhookRow = Selectable<WebhooksTable>;
export type WebhookDeliveryRow = Selectable<WebhookDeliveriesTable>;
export type NewWebhookDeliveryRow = Insertable<WebhookDeliveriesTable>;
export type WebhookAttemptRow = Selectable<WebhookAttemptsTable>;
