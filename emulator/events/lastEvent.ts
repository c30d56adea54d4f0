import type { Store } from "../store/openStore.ts";

/** Reads the `seq` of the newest event; 0 in an empty log. */
export async function lastEvent(store: Store, requestId?: string): Promise<number> {
  const newest = store.selectFrom("events").select((row) => row.fn.max("seq").as("seq"));
  const row = await (requestId === undefined
    ? newest
    : newest.where("request_id", "=", requestId)
  ).executeTakeFirst();
  return Number(row?.seq ?? 0);
}
