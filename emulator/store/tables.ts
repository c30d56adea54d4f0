import type { Insertable, Kysely, Selectable, Transaction } from "kysely";
import type { ColumnsOf } from "./table.ts";
import { balanceTables } from "./tables/balanceTables.ts";
import { paymentTables } from "./tables/paymentTables.ts";
import { requestTables } from "./tables/requestTables.ts";
import { serviceTables } from "./tables/serviceTables.ts";

/**
 * All tables, in the order in which they can be created: a table follows those that it refers to. Ids, hashes and EVM
 * addresses are lower-case hex; amounts are decimal strings in smallest units; dollars are whole micro-dollars; times
 * are unix milliseconds; JSON is stored as text.
 */
export const tables = { ...requestTables, ...paymentTables, ...balanceTables, ...serviceTables };

/** The types of all rows, as Kysely takes them. */
export type Tables = { [Name in keyof typeof tables]: ColumnsOf<(typeof tables)[Name]> };

/** The database, or one of its transactions. */
export type Store = Kysely<Tables>;
export type StoreTransaction = Transaction<Tables>;

export type ApiKeyRow = Selectable<Tables["api_keys"]>;
export type RequestRow = Selectable<Tables["requests"]>;
/** A request without the columns for searches; see `withSearchFacts`. */
export type NewRequest = Omit<Insertable<Tables["requests"]>, "features" | "route_id">;
export type RequestHashRow = Selectable<Tables["request_hashes"]>;
export type EventRow = Selectable<Tables["events"]>;
export type DepositRow = Selectable<Tables["deposits"]>;
export type TransactionRow = Selectable<Tables["transactions"]>;
export type SameChainTransactionRow = Selectable<Tables["same_chain_transactions"]>;
export type RelayedDepositRow = Selectable<Tables["relayed_deposits"]>;
export type DepositAddressRow = Selectable<Tables["deposit_addresses"]>;
export type AddressPaymentRow = Selectable<Tables["address_payments"]>;
export type ExchangeActionRow = Selectable<Tables["exchange_actions"]>;
export type NonceMappingRow = Selectable<Tables["nonce_mappings"]>;
export type AppFeeRow = Selectable<Tables["app_fees"]>;
export type SvmEntryRow = Selectable<Tables["svm_entries"]>;
export type ControlLogRow = Selectable<Tables["control_log"]>;
export type WebhookRow = Selectable<Tables["webhooks"]>;
export type WebhookDeliveryRow = Selectable<Tables["webhook_deliveries"]>;
export type NewWebhookDeliveryRow = Insertable<Tables["webhook_deliveries"]>;
export type WebhookAttemptRow = Selectable<Tables["webhook_attempts"]>;
