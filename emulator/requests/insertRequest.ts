import { insertRows } from "../store/insertRows.ts";
import type { Store } from "../store/openStore.ts";
import type { NewRequestRow } from "../store/tables.ts";

/** Trigger of a request's first event. */
export const quotedTrigger = "quoted";

/** So many requests are stored in one transaction. */
const mostAtOnce = 64;

type Waiting = {
  readonly request: NewRequestRow;
  readonly features: readonly string[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

const queues = new WeakMap<Store, Waiting[]>();

/**
 * Stores a request, what it makes use of, and the first event of its history: all of it or nothing. Requests that come at
 * the same time share a transaction, which costs more than all that is in it; none waits for one that is not there yet.
 */
export function insertRequest(
  store: Store,
  request: NewRequestRow,
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
    // One of them is at fault, and the others are not to suffer for it.
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
    await insertRows(transaction, "requests", requests);
    if (features.length > 0) await transaction.insertInto("request_features").values(features).execute();
    await insertRows(transaction, "events", events);
  });
}
