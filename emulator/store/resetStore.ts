import { sql } from "kysely";
import { isPostgres } from "./dialect/columnTypes.ts";
import { type Store, type StoreTransaction, type Tables, tables } from "./tables.ts";

/** The names of all tables in the order of deletion: a table precedes those that it refers to. */
export const tableNames = (Object.keys(tables) as (keyof Tables)[]).reverse();

/** Tables that a reset can keep: no row of them belongs to a request. */
type KeptTable = "api_keys" | "secrets" | "chains" | "cursors" | "blocks" | "settings" | "webhooks";

/**
 * Empties the database in one transaction. Event numbers continue, so that followers of the log miss no later event.
 */
export async function resetStore(store: Store, keep: readonly KeptTable[] = []): Promise<void> {
  const names = tableNames.filter((table) => !(keep as readonly string[]).includes(table));
  await store.transaction().execute((transaction) => emptyTables(transaction, names));
}

/** Empties some tables in the caller's transaction. Tables that refer to others come first. */
export async function emptyTables(
  transaction: StoreTransaction,
  names: readonly (keyof Tables)[],
): Promise<void> {
  if (isPostgres(transaction)) {
    // One statement: PostgreSQL checks references row by row on delete. API keys refer to no other table.
    const list = sql.join(names.map((name) => sql.table(name)));
    await sql`truncate ${list}`.execute(transaction);
    return;
  }
  for (const name of names) await transaction.deleteFrom(name).execute();
}
