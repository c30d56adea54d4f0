import { sql } from "kysely";
import { isPostgres } from "./dialect/columnTypes.ts";
import type { Store } from "./openStore.ts";

/**
 * Has the other processes that use the database told of a change once the caller's transaction is committed; where there
 * can be none, nothing happens.
 */
export async function tellOthers(store: Store, channel: string): Promise<void> {
  if (isPostgres(store)) await sql`select pg_notify(${channel}, '')`.execute(store);
}
