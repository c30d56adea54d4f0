import type { Store } from "./openStore.ts";
import type { NewRequestRow } from "./tables.ts";

/** Trigger of a request's first event. */
export const quotedTrigger = "quoted";

/** Stores a request, what it makes use of, and the first event of its history: all of it or nothing. */
export async function insertRequest(
  store: Store,
  request: NewRequestRow,
  features: readonly string[] = [],
): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    await transaction.insertInto("requests").values(request).execute();
    if (features.length > 0) {
      const rows = features.map((feature) => ({ feature, request_id: request.id }));
      await transaction.insertInto("request_features").values(rows).execute();
    }
    await transaction
      .insertInto("events")
      .values({
        at: request.created_at,
        data: "{}",
        request_id: request.id,
        status: request.status,
        trigger: quotedTrigger,
      })
      .execute();
  });
}
