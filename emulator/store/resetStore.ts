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
async function emptyTables(transaction: StoreTransaction, names: readonly (keyof Tables)[]): Promise<void> {
  if (isPostgres(transaction)) {
    // One statement: PostgreSQL checks references row by row on delete. API keys refer to no other table.
    const list = sql.join(names.map((name) => sql.table(name)));
    await sql`truncate ${list}`.execute(transaction);
    return;
  }
  for (const name of names) await transaction.deleteFrom(name).execute();
}

/** Consistent copy of all copied tables. */
export type StoreCopy = ReadonlyMap<keyof Tables, readonly Row[]>;

type Row = Readonly<Record<string, unknown>>;

/** Tables that a restore leaves unchanged: secrets, and the record of the chains. */
const untouched: ReadonlySet<keyof Tables> = new Set(["secrets", "chains"]);
/** Maximum parameters of one statement, within the lower limit of the two databases. */
const parametersAtOnce = 30_000;

/** Copies the database into memory. Meant for a few thousand requests of tests, not for millions. */
export async function copyStore(store: Store): Promise<StoreCopy> {
  return store
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (transaction) => {
      const copy = new Map<keyof Tables, readonly Row[]>();
      for (const name of copied()) copy.set(name, await transaction.selectFrom(name).selectAll().execute());
      return copy;
    });
}

/** Replaces the rows of the database by those of a copy, atomically. */
export async function restoreStore(store: Store, copy: StoreCopy): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    await emptyTables(transaction, copied());
    // In reverse order: referenced rows come first.
    for (const name of copied().reverse()) await insertAll(transaction, name, copy.get(name) ?? []);
  });
}

function copied(): (keyof Tables)[] {
  return tableNames.filter((name) => !untouched.has(name));
}

async function insertAll(
  transaction: StoreTransaction,
  name: keyof Tables,
  rows: readonly Row[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const atOnce = Math.max(1, Math.floor(parametersAtOnce / Object.keys(first).length));
  for (let from = 0; from < rows.length; from += atOnce) {
    // The rows were read from this table, so their type fits.
    const part = rows.slice(from, from + atOnce) as never[];
    await transaction.insertInto(name).values(part).execute();
  }
}
