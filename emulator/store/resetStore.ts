import { sql, type Transaction } from "kysely";
import { isPostgres } from "./dialect/columnTypes.ts";
import type { Store } from "./openStore.ts";
import type { Tables } from "./tables.ts";

/** Every table that can be emptied, those that refer to others before those. */
const tables = {
  control_log: true,
  webhook_attempts: true,
  webhook_deliveries: true,
  webhooks: true,
  request_hashes: true,
  request_features: true,
  events: true,
  own_transactions: true,
  permits: true,
  app_fees: true,
  price_changes: true,
  transactions: true,
  deposits: true,
  cursors: true,
  blocks: true,
  requests: true,
  api_keys: true,
  secrets: true,
  chains: true,
  settings: true,
} as const satisfies Record<EmptiedTable, true>;

/** All but the table that tells of it. */
export type EmptiedTable = Exclude<keyof Tables, "replacements">;

/** The same as a list. */
export const tableNames = Object.keys(tables) as readonly EmptiedTable[];

/** What can outlive a reset: nothing in it belongs to a request. */
export type KeptTable = "api_keys" | "secrets" | "chains" | "cursors" | "blocks" | "settings" | "webhooks";

/**
 * Empties the database: all of it or nothing. Numbers of events go on where they were, so that whoever follows the log
 * misses none of those to come.
 *
 * @param keep Tables that are left as they are.
 */
export async function resetStore(store: Store, keep: readonly KeptTable[] = []): Promise<void> {
  const names = tableNames.filter((table) => !(keep as readonly string[]).includes(table));
  await store.transaction().execute((transaction) => emptyTables(transaction, names));
}

/**
 * Empties some tables, of which those that refer to others come first, in the caller's transaction. Whoever keeps requests
 * in memory is told by a row of `replacements`.
 */
export async function emptyTables(
  transaction: Transaction<Tables>,
  names: readonly EmptiedTable[],
): Promise<void> {
  await transaction.insertInto("replacements").defaultValues().execute();
  if (isPostgres(transaction)) {
    // At once, because PostgreSQL looks for references row by row when it deletes. Keys are never among what refers.
    const list = sql.join(names.map((name) => sql.table(name)));
    await sql`truncate ${list}`.execute(transaction);
    return;
  }
  for (const name of names) await transaction.deleteFrom(name).execute();
}
