import type { Transaction } from "kysely";
import { isPostgres } from "../store/dialect/columnTypes.ts";
import type { Store } from "../store/openStore.ts";
import type { RequestRow, Tables } from "../store/tables.ts";

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

/** Reads the status of a request, as the caller's transaction sees it. */
export async function statusOf(
  transaction: Transaction<Tables>,
  requestId: string,
): Promise<RequestRow["status"]> {
  const { status } = await selected(transaction, requestId).executeTakeFirstOrThrow();
  return status;
}

/** Reads the status for a caller that changes it: the row is locked until the transaction ends. */
export async function lockedStatusOf(
  transaction: Transaction<Tables>,
  requestId: string,
): Promise<RequestRow["status"]> {
  const { status } = await selected(transaction, requestId)
    // SQLite has one writer at a time.
    .$if(isPostgres(transaction), (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  return status;
}

function selected(transaction: Transaction<Tables>, requestId: string) {
  return transaction.selectFrom("requests").select("status").where("id", "=", requestId);
}
