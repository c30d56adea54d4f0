import { insertRows } from "../store/insertRows.ts";
import type { Store } from "../store/openStore.ts";
import type { NewRequest } from "../store/tables.ts";
import { withSearchFacts } from "./searchFacts.ts";

/** Trigger of a request's first event. */
export const quotedTrigger = "quoted";

/** Most requests stored in one transaction. */
const mostAtOnce = 64;

type Waiting = {
  readonly request: NewRequest;
  readonly features: readonly string[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

const queues = new WeakMap<Store, Waiting[]>();

/**
 * Stores a request, its features and the first event of its history, or nothing. Requests that arrive together
 * share one transaction, because the transaction costs more than the rows. None waits for a later one.
 */
export function insertRequest(
  store: Store,
  request: NewRequest,
  features: readonly string[] = [],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const queue = queues.get(store) ?? [];
    queues.set(store, queue);
    queue.push({ features, reject, request, resolve });
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
  await store.transaction().execute(async (transaction) => {
    const rows = batch.map(({ features: used, request }) => ({ features: used, row: request }));
    await insertRows(transaction, "requests", await withSearchFacts(transaction, rows));
    if (features.length > 0) await transaction.insertInto("request_features").values(features).execute();
    await insertRows(transaction, "events", events);
  });
}
