import type { CompiledQuery, InsertObject, Transaction } from "kysely";
import { isPostgres } from "./dialect/columnTypes.ts";
import { withoutNul } from "./dialect/withoutNul.ts";
import type { Tables } from "./tables.ts";

/** Cached statements, by dialect, table, ordered columns and number of rows. */
const kept = new Map<string, CompiledQuery>();
const mostKept = 1_000;

/**
 * Inserts rows by a cached statement for the same columns and number of rows: building one takes longer than running it.
 */
export async function insertRows<Table extends "requests" | "events">(
  transaction: Transaction<Tables>,
  table: Table,
  rows: readonly InsertObject<Tables, Table>[],
): Promise<void> {
  const [first = {}] = rows;
  const columns = Object.keys(first);
  const values = rows.map(Object.entries);
  const isEven = values.every(
    (row) =>
      row.length === columns.length &&
      row.every(([name, value], i) => name === columns[i] && value !== undefined),
  );
  // Omitted columns take their defaults, which only the query builder can express.
  if (!isEven) {
    await transaction.insertInto(table).values(rows).execute();
    return;
  }
  const key = [isPostgres(transaction), table, rows.length, ...columns].join();
  const known = kept.get(key);
  const query = known ?? transaction.insertInto(table).values(rows).compile();
  if (known === undefined) {
    if (kept.size >= mostKept) kept.clear();
    kept.set(key, query);
  }
  await transaction.executeQuery({
    ...query,
    parameters: values.flatMap((row) => row.map(([, value]) => withoutNul(value))),
  });
}
