import { sql } from "kysely";
import { isPostgres } from "./dialect/columnTypes.ts";
import { setupLock } from "./dialect/presence.ts";
import type { Store, StoreTransaction } from "./tables.ts";

/**
 * Locks a name until the transaction ends: other transactions that lock it wait, in all processes of the database.
 * SQLite has one writer at a time.
 */
export async function lockName(transaction: StoreTransaction, name: string): Promise<void> {
  if (!isPostgres(transaction)) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
}

/** PostgreSQL's second key of a lock is a signed integer of 32 bits. */
const keys = 2 ** 31;

/**
 * Runs work on a chain in one process of the database at a time; the others wait. The lock belongs to its own
 * connection, so that PostgreSQL releases it when the process dies. A SQLite file has one process anyway.
 */
export async function lockSetup<Result>(
  store: Store,
  chainId: number,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  if (!isPostgres(store)) return work(store);
  const key = sql`${sql.lit(setupLock)}, ${sql.lit(chainId % keys)}`;
  return store.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${key})`.execute(connection);
    try {
      return await work(connection);
    } finally {
      // A broken connection has lost its locks, and the work reports its error.
      await sql`select pg_advisory_unlock(${key})`.execute(connection).catch(() => undefined);
    }
  });
}
