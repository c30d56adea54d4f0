import { sql } from "kysely";
import { isPostgres } from "./columnTypes.ts";
import type { Store } from "./openStore.ts";
import type { Tables } from "./tables.ts";

/** Every table, those that refer to others before those. */
const tables = {
  request_hashes: true,
  request_features: true,
  events: true,
  own_transactions: true,
  transactions: true,
  deposits: true,
  cursors: true,
  blocks: true,
  requests: true,
  api_keys: true,
  secrets: true,
  chains: true,
  settings: true,
} as const satisfies Record<keyof Tables, true>;

/** What can outlive a reset: nothing in it belongs to a request. */
export type KeptTable = "api_keys" | "secrets" | "chains" | "cursors" | "blocks" | "settings";

/**
 * Empties the database: all of it or nothing. Numbers of events go on where they were, so that whoever follows the log
 * misses none of those to come.
 *
 * @param keep Tables that are left as they are.
 */
export async function resetStore(store: Store, keep: readonly KeptTable[] = []): Promise<void> {
  const names = (Object.keys(tables) as (keyof Tables)[]).filter(
    (table) => !(keep as readonly string[]).includes(table),
  );
  await store.transaction().execute(async (transaction) => {
    if (isPostgres(transaction)) {
      // At once, because PostgreSQL looks for references row by row when it deletes. Keys are never among what refers.
      const list = sql.join(names.map((name) => sql.table(name)));
      await sql`truncate ${list}`.execute(transaction);
      return;
    }
    for (const name of names) await transaction.deleteFrom(name).execute();
  });
}
