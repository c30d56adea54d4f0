import type { Store } from "./openStore.ts";
import type { RequestRow } from "./tables.ts";

/** The request with this id, in any letter case. */
export async function findRequest(store: Store, requestId: string): Promise<RequestRow | undefined> {
  return store
    .selectFrom("requests")
    .selectAll()
    .where("id", "=", requestId.toLowerCase())
    .executeTakeFirst();
}
