import type { Store } from "../store/openStore.ts";
import type { RequestRow } from "../store/tables.ts";

/** Finds a request by its id, in any letter case. */
export async function findRequest(store: Store, requestId: string): Promise<RequestRow | undefined> {
  return store
    .selectFrom("requests")
    .selectAll()
    .where("id", "=", requestId.toLowerCase())
    .executeTakeFirst();
}

/** Finds the request of an order, in any letter case. */
export async function findRequestByOrder(store: Store, orderId: string): Promise<RequestRow | undefined> {
  return store
    .selectFrom("requests")
    .selectAll()
    .where("order_id", "=", orderId.toLowerCase())
    .executeTakeFirst();
}
