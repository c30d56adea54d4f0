import type { Transaction } from "kysely";
import type { Store } from "../../store/openStore.ts";
import { type EmptiedTable, emptyTables, tableNames } from "../../store/resetStore.ts";
import type { Tables } from "../../store/tables.ts";

/** All rows of all tables at one moment. */
export type StoreCopy = ReadonlyMap<EmptiedTable, readonly Row[]>;

type Row = Readonly<Record<string, unknown>>;

/** Tables whose rows stay as they are when the rest goes back: who may do what, and what is on the chains. */
const untouched: ReadonlySet<EmptiedTable> = new Set(["secrets", "chains"]);
/** Parameters that one statement can have, in the database that allows fewer. */
const parametersAtOnce = 30_000;

/** Copies the database, into memory: it is meant for the tests' few thousand requests, not for millions. */
export async function copyStore(store: Store): Promise<StoreCopy> {
  return store
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (transaction) => {
      const copy = new Map<EmptiedTable, readonly Row[]>();
      for (const name of copied()) copy.set(name, await transaction.selectFrom(name).selectAll().execute());
      return copy;
    });
}

/** Puts a copy in place of what is there, all of it or nothing. */
export async function restoreStore(store: Store, copy: StoreCopy): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    await emptyTables(transaction, copied());
    // The other way round: rows that others refer to come first.
    for (const name of copied().reverse()) await insertAll(transaction, name, copy.get(name) ?? []);
  });
}

function copied(): EmptiedTable[] {
  return tableNames.filter((name) => !untouched.has(name));
}

async function insertAll(
  transaction: Transaction<Tables>,
  name: keyof Tables,
  rows: readonly Row[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const atOnce = Math.max(1, Math.floor(parametersAtOnce / Object.keys(first).length));
  for (let from = 0; from < rows.length; from += atOnce) {
    // Rows come from the table that they go back to.
    const part = rows.slice(from, from + atOnce) as never[];
    await transaction.insertInto(name).values(part).execute();
  }
}
