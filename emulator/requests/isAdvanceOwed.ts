import type { Store } from "../store/openStore.ts";

/** Whether a request was fast-filled and no deposit covers the advance. A deposit that a reorg removed covers nothing. */
export async function isAdvanceOwed(store: Store, requestId: string): Promise<boolean> {
  const owed = await store
    .selectFrom("deposits as advance")
    .leftJoin("deposits as cover", (join) =>
      join.onRef("cover.request_id", "=", "advance.request_id").on("cover.state", "=", "netted"),
    )
    .select("advance.id")
    .where("advance.id", "=", `advance:${requestId}`)
    .where("advance.state", "!=", "released")
    .where("cover.id", "is", null)
    .executeTakeFirst();
  return owed !== undefined;
}
