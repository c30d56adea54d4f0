import type { WebhookEvent } from "../../src/schema/request/statusUpdate.ts";
import type { NewWebhookDeliveryRow, Store, StoreTransaction } from "../store/tables.ts";

/**
 * Queues a finished delivery again, after the pending deliveries of its request. A pending delivery becomes due now.
 */
export async function queueAgain(
  store: Store,
  { apiKeyId, deliveryId, now }: { apiKeyId: string; deliveryId: number; now: number },
): Promise<number | undefined> {
  return store.transaction().execute(async (transaction) => {
    const delivery = await transaction
      .selectFrom("webhook_deliveries")
      .selectAll()
      .where("id", "=", deliveryId)
      .where("api_key_id", "=", apiKeyId)
      .executeTakeFirst();
    if (delivery === undefined || !(await hasEndpoint(transaction, apiKeyId))) return undefined;
    if (delivery.state === "pending") {
      await transaction
        .updateTable("webhook_deliveries")
        .set({ next_at: now })
        .where("id", "=", deliveryId)
        .execute();
      return deliveryId;
    }
    const { payload, request_id, status } = delivery;
    return insertDelivery(transaction, {
      ...{ payload, request_id, status },
      api_key_id: apiKeyId,
      kind: "resend",
      now,
      resend_of: deliveryId,
    });
  });
}

/** Queues a test event of a fictitious request. @returns Its id; `undefined` if the key has no endpoint. */
export async function queueTest(
  store: Store,
  { apiKeyId, now, payload }: { apiKeyId: string; now: number; payload: WebhookEvent },
): Promise<number | undefined> {
  return store.transaction().execute(async (transaction) => {
    if (!(await hasEndpoint(transaction, apiKeyId))) return undefined;
    return insertDelivery(transaction, {
      api_key_id: apiKeyId,
      kind: "test",
      now,
      payload: JSON.stringify(payload),
      request_id: payload.data.requestId,
      status: payload.data.status as NewWebhookDeliveryRow["status"],
    });
  });
}

async function hasEndpoint(transaction: StoreTransaction, apiKeyId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom("webhooks")
    .select("api_key_id")
    .where("api_key_id", "=", apiKeyId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Inserts a delivery, which is due now unless the row says otherwise. @returns Its id. */
export async function insertDelivery(
  transaction: StoreTransaction,
  { now, ...row }: NewDelivery & { readonly now: number },
): Promise<number> {
  const { id } = await transaction
    .insertInto("webhook_deliveries")
    .values({
      attempts: 0,
      claimed_by: null,
      claimed_until: null,
      created_at: now,
      event_seq: null,
      fault: null,
      finished_at: null,
      next_at: now,
      resend_of: null,
      state: "pending",
      ...row,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

type NewDelivery = Pick<NewWebhookDeliveryRow, "api_key_id" | "kind" | "payload" | "request_id" | "status"> &
  Partial<NewWebhookDeliveryRow>;
