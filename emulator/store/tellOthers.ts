import { sql } from "kysely";
import { isPostgres } from "./dialect/columnTypes.ts";
import type { Store } from "./openStore.ts";

/**
 * Notifies the other processes of the database at the commit of the caller's transaction. SQLite has no other processes.
 */
export async function tellOthers(store: Store, channel: string): Promise<void> {
  if (isPostgres(store)) await sql`select pg_notify(${channel}, '')`.execute(store);
}
