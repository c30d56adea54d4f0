import type { Store } from "../store/openStore.ts";

/** Whether a request was fast-filled and no deposit covers the advance. A deposit that a reorg removed covers nothing. */
export async function isAdvanceOwed(store: Store, requestId: string): Promise<boolean> {
  const owed = await store
    .selectFrom("deposits as advance")
    .leftJoin("deposits as cover", (join) =>
      join.onRef("cover.covers", "=", "advance.id").on("cover.outcome", "=", "netted"),
    )
    .select("advance.id")
    .where("advance.id", "=", `advance:${requestId}`)
    .where("advance.outcome", "=", "accepted")
    .where("cover.id", "is", null)
    .executeTakeFirst();
  return owed !== undefined;
}
