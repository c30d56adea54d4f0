import { sql, type Transaction } from "kysely";
import { isPostgres } from "./dialect/columnTypes.ts";
import type { Store } from "./openStore.ts";
import type { Tables } from "./tables.ts";

/** Tables in the order of deletion: a table precedes those that it refers to. */
const tables = {
  control_log: true,
  webhook_attempts: true,
  webhook_deliveries: true,
  webhooks: true,
  request_hashes: true,
  request_features: true,
  events: true,
  same_chain_transactions: true,
  relayed_deposits: true,
  exchange_actions: true,
  exchange_balances: true,
  nonce_mappings: true,
  app_fees: true,
  sponsor_entries: true,
  app_fee_claims: true,
  fast_fills: true,
  address_payments: true,
  deposit_addresses: true,
  price_changes: true,
  transactions: true,
  deposits: true,
  cursors: true,
  blocks: true,
  requests: true,
  sponsors: true,
  svm_account_entries: true,
  svm_entries: true,
  request_routes: true,
  api_keys: true,
  secrets: true,
  chains: true,
  settings: true,
} as const satisfies Record<keyof Tables, true>;

export type EmptiedTable = keyof Tables;

/** Their names as a list. */
export const tableNames = Object.keys(tables) as readonly EmptiedTable[];

/** Tables that a reset can keep: no row of them belongs to a request. */
type KeptTable = "api_keys" | "secrets" | "chains" | "cursors" | "blocks" | "settings" | "webhooks";

/**
 * Empties the database in one transaction. Event numbers continue, so that followers of the log miss no later event.
 *
 * @param keep Tables to leave unchanged.
 */
export async function resetStore(store: Store, keep: readonly KeptTable[] = []): Promise<void> {
  const names = tableNames.filter((table) => !(keep as readonly string[]).includes(table));
  await store.transaction().execute((transaction) => emptyTables(transaction, names));
}

/** Empties some tables in the caller's transaction. Tables that refer to others come first. */
export async function emptyTables(
  transaction: Transaction<Tables>,
  names: readonly EmptiedTable[],
): Promise<void> {
  if (isPostgres(transaction)) {
    // One statement: PostgreSQL checks references row by row on delete. API keys refer to no other table.
    const list = sql.join(names.map((name) => sql.table(name)));
    await sql`truncate ${list}`.execute(transaction);
    return;
  }
  for (const name of names) await transaction.deleteFrom(name).execute();
}
