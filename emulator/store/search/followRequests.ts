import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { Store } from "../openStore.ts";
import { type IndexedRow, indexedNames, RequestIndex } from "./RequestIndex.ts";

/** Rows that are read at once. SQLite answers within the same turn: other work has its turn after each page. */
const usualPageRows = 2_000;

/** An index that follows a database. */
export type FollowedRequests = {
  /**
   * The index with all that was committed before the call, by whatever process: one look at the number of the last event
   * where nothing has happened since, otherwise the requests that events were written of.
   *
   * @throws whatever the database fails with; the next call tries again.
   */
  upToDate(): Promise<RequestIndex>;
};

/** How far the database is. */
type Position = {
  /** Number of the last event. */
  readonly event: number;
  /** Number of the last time that requests were taken away or put back. */
  readonly replacement: number;
};

/**
 * Keeps an index of all requests of a database. Every change of a request is written together with an event, and events
 * become visible in the order of their numbers: whoever has read all requests of the events up to a number has seen every
 * change up to there.
 *
 * Nothing is read before the first call, which reads every request.
 */
export function followRequests(
  store: Store,
  { pageRows = usualPageRows, zoneRows }: { readonly pageRows?: number; readonly zoneRows?: number } = {},
): FollowedRequests {
  let index = new RequestIndex();
  let position: Position | undefined;
  let running: Promise<RequestIndex> | undefined;
  let next: Promise<RequestIndex> | undefined;

  const catchUp = async () => {
    const end = await positionOf(store);
    if (position?.replacement !== end.replacement) {
      index = await readAll(store, { pageRows, ...(zoneRows !== undefined && { zoneRows }) });
      position = end;
    }
    while (position.event < end.event) {
      const last = Math.min(position.event + pageRows, end.event);
      await readChanged(store, index, position.event, last);
      position = { ...position, event: last };
      if (last < end.event) await setImmediate();
    }
    return index;
  };
  const start = () => {
    running = catchUp().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    upToDate: () => {
      if (running === undefined) return start();
      // What runs may have looked before the caller's commit. All who come meanwhile share the next look.
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          return start();
        });
      return next;
    },
  };
}

async function positionOf(store: Store): Promise<Position> {
  const { rows } = await sql<Position>`select
    coalesce((select max(seq) from events), 0) as event,
    coalesce((select max(seq) from replacements), 0) as replacement`.execute(store);
  const [position] = rows;
  if (position === undefined) throw new Error("a select without a table has one row");
  return position;
}

async function readAll(
  store: Store,
  { pageRows, ...options }: { readonly pageRows: number; readonly zoneRows?: number },
): Promise<RequestIndex> {
  const index = new RequestIndex(options);
  let last: IndexedRow | undefined;
  do {
    const page = await pageOfRequests(store, last, pageRows);
    for (const row of page) index.put(row);
    last = page.length < pageRows ? undefined : page.at(-1);
    await setImmediate();
  } while (last !== undefined);
  await readFeatures(store, index, pageRows);
  return index;
}

/** In the order of age, in which rows of the index are passed by together. */
function pageOfRequests(
  store: Store,
  after: IndexedRow | undefined,
  pageRows: number,
): Promise<IndexedRow[]> {
  const query = store.selectFrom("requests").select(indexedNames).orderBy("created_at").orderBy("id");
  const behind =
    after === undefined
      ? query
      : query.where(sql<boolean>`(created_at, id) > (${after.created_at}, ${after.id})`);
  return behind.limit(pageRows).execute();
}

async function readFeatures(store: Store, index: RequestIndex, pageRows: number): Promise<void> {
  let last = { feature: "", request_id: "" };
  for (;;) {
    const page = await store
      .selectFrom("request_features")
      .selectAll()
      .where(sql<boolean>`(request_id, feature) > (${last.request_id}, ${last.feature})`)
      .orderBy("request_id")
      .orderBy("feature")
      .limit(pageRows)
      .execute();
    for (const feature of page) index.putFeature(feature);
    const end = page.at(-1);
    if (end === undefined || page.length < pageRows) return;
    last = end;
    await setImmediate();
  }
}

async function readChanged(store: Store, index: RequestIndex, from: number, to: number): Promise<void> {
  const changed = await store
    .selectFrom("requests")
    .select(indexedNames)
    .where("id", "in", (events) =>
      events.selectFrom("events").select("request_id").where("seq", ">", from).where("seq", "<=", to),
    )
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const added = changed.filter(({ id }) => index.rowOf(id) === undefined).map(({ id }) => id);
  for (const row of changed) index.put(row);
  if (added.length === 0) return;
  const features = await store
    .selectFrom("request_features")
    .selectAll()
    .where("request_id", "in", added)
    .execute();
  for (const feature of features) index.putFeature(feature);
}
