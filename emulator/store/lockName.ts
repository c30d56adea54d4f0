import { sql, type Transaction } from "kysely";
import { isPostgres } from "./dialect/columnTypes.ts";
import type { Tables } from "./tables.ts";

/**
 * Locks a name until the transaction ends: other transactions that lock it wait, in all processes of the database.
 * SQLite has one writer at a time.
 */
export async function lockName(transaction: Transaction<Tables>, name: string): Promise<void> {
  if (!isPostgres(transaction)) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
}
