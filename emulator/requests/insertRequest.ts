import type { CompiledQuery, InsertObject } from "kysely";
import { isPostgres, withoutNul } from "../store/dialect/columnTypes.ts";
import type { NewRequest, RequestHashRow, Store, StoreTransaction, Tables } from "../store/tables.ts";
import { withSearchFacts } from "./search/searchFacts.ts";

/** Trigger of a request's first event. */
export const quotedTrigger = "quoted";

/** Maximum number of requests stored in one transaction. */
const mostAtOnce = 64;

type Waiting = {
  readonly request: NewRequest;
  readonly features: readonly string[];
  readonly also: ((transaction: StoreTransaction) => Promise<void>) | undefined;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

const queues = new WeakMap<Store, Waiting[]>();

/**
 * Stores a request, its features and the first event of its history, or nothing. Requests that arrive together share
 * one transaction, because the transaction costs more than the rows. None waits for a later one.
 */
export function insertRequest(
  store: Store,
  request: NewRequest,
  features: readonly string[] = [],
  also?: (transaction: StoreTransaction) => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const queue = queues.get(store) ?? [];
    queues.set(store, queue);
    queue.push({ also, features, reject, request, resolve });
    if (queue.length === 1) setImmediate(() => flush(store, queue));
  });
}

async function flush(store: Store, queue: Waiting[]): Promise<void> {
  queues.delete(store);
  for (let start = 0; start < queue.length; start += mostAtOnce) {
    await storeTogether(store, queue.slice(start, start + mostAtOnce));
  }
}

async function storeTogether(store: Store, batch: readonly Waiting[]): Promise<void> {
  try {
    await insertAll(store, batch);
    for (const { resolve } of batch) resolve();
  } catch (error) {
    const [first] = batch;
    if (first !== undefined && batch.length === 1) return first.reject(error);
    // One row is at fault: store each alone, so that the others succeed.
    for (const each of batch) await storeTogether(store, [each]);
  }
}

async function insertAll(store: Store, batch: readonly Waiting[]): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    await insertRequests(transaction, batch);
    for (const { also } of batch) await also?.(transaction);
  });
}

/** Stores requests, their features and the first events of their histories, in the caller's transaction. */
export async function insertRequests(
  transaction: StoreTransaction,
  batch: readonly Pick<Waiting, "features" | "request">[],
): Promise<void> {
  const requests = batch.map(({ request }) => request);
  const features = batch.flatMap(({ features: used, request }) =>
    used.map((feature) => ({ feature, request_id: request.id })),
  );
  const events = requests.map(({ created_at, id, status }) => ({
    at: created_at,
    data: "{}",
    request_id: id,
    status,
    trigger: quotedTrigger,
  }));
  const rows = batch.map(({ features: used, request }) => ({ features: used, row: request }));
  await insertRows(transaction, "requests", await withSearchFacts(transaction, rows));
  if (features.length > 0) await transaction.insertInto("request_features").values(features).execute();
  await insertRows(transaction, "events", events);
}

/** Indexes a request by a transaction hash. Idempotent. */
export async function addRequestHash(
  store: Store,
  { hash, kind, request_id }: RequestHashRow,
): Promise<void> {
  await store
    .insertInto("request_hashes")
    .values({ hash: hash.startsWith("0x") ? hash.toLowerCase() : hash, kind, request_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Cached statements, by dialect, table, ordered columns and number of rows. */
const kept = new Map<string, CompiledQuery>();
const mostKept = 1_000;

/**
 * Inserts rows by a cached statement for the same columns and number of rows: building one takes longer than running it.
 */
async function insertRows<Table extends "requests" | "events">(
  transaction: StoreTransaction,
  table: Table,
  rows: readonly InsertObject<Tables, Table>[],
): Promise<void> {
  const [first = {}] = rows;
  const columns = Object.keys(first) as (keyof (typeof rows)[number])[];
  const values: unknown[][] = rows.map((row) => columns.map((column) => row[column]));
  // Omitted columns take their defaults, which only the query builder can express.
  if (rows.some((row, i) => Object.keys(row).length > columns.length || values[i]?.includes(undefined))) {
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
    parameters: values.flat().map(withoutNul),
  });
}
