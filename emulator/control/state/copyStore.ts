import { emptyTables, tableNames } from "../../store/resetStore.ts";
import type { Store, StoreTransaction, Tables } from "../../store/tables.ts";

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
