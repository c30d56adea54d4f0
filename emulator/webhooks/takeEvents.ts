import type { DeliveryFault, FaultHooks } from "../context/FaultHooks.ts";
import { lastEvent } from "../events/followEvents.ts";
import type { EventRow, RequestRow, Store, StoreTransaction } from "../store/tables.ts";
import { insertDelivery } from "./queueDelivery.ts";
import { webhookPayload } from "./webhookPayload.ts";

/** Maximum events of one endpoint in one transaction. */
const batchSize = 200;
/** Time in which later statuses overtake a reordered one, in milliseconds of the emulator's clock. */
const overtakingMs = 2_000;

/**
 * Queues a delivery for each new status of each request whose key has an enabled endpoint. The endpoint's position
 * advances in the same transaction, so each event is queued once among all processes.
 */
export async function takeEvents(
  store: Store,
  parameters: { readonly now: () => number; readonly faults: Pick<FaultHooks, "forDelivery"> },
): Promise<boolean> {
  const endpoints = await store
    .selectFrom("webhooks")
    .select(["api_key_id", "position"])
    .where("is_enabled", "=", 1)
    .execute();
  if (endpoints.length === 0) return false;
  const last = await lastEvent(store);
  for (const { api_key_id, position } of endpoints) {
    if (position >= last) continue;
    let isMore = true;
    while (isMore) isMore = await takeBatch(store, api_key_id, parameters);
  }
  return true;
}

async function takeBatch(
  store: Store,
  apiKeyId: string,
  { faults, now }: Parameters<typeof takeEvents>[1],
): Promise<boolean> {
  return store.transaction().execute(async (transaction) => {
    const endpoint = await transaction
      .selectFrom("webhooks")
      .select("position")
      .where("api_key_id", "=", apiKeyId)
      .where("is_enabled", "=", 1)
      .executeTakeFirst();
    if (endpoint === undefined) return false;
    const last = await lastEvent(transaction);
    const events = await transaction
      .selectFrom("events")
      .innerJoin("requests", "requests.id", "events.request_id")
      .selectAll("events")
      .where("requests.api_key_id", "=", apiKeyId)
      .where("events.seq", ">", endpoint.position)
      .orderBy("events.seq")
      .limit(batchSize)
      .execute();
    for (const event of events) {
      if (!(await isNewStatus(transaction, event))) continue;
      const { request_id: requestId, status } = event;
      const fault = await faults.forDelivery({ channel: "webhook", requestId, status }, transaction);
      await addDelivery(transaction, { apiKeyId, event, fault, now: now() });
    }
    const isMore = events.length === batchSize;
    await transaction
      .updateTable("webhooks")
      .set({ position: isMore ? (events.at(-1)?.seq ?? last) : last })
      .where("api_key_id", "=", apiKeyId)
      .execute();
    return isMore;
  });
}

/** False for events that leave the status unchanged, such as a fill that fails before it is sent. */
async function isNewStatus(transaction: StoreTransaction, event: EventRow): Promise<boolean> {
  const before = await transaction
    .selectFrom("events")
    .select("status")
    .where("request_id", "=", event.request_id)
    .where("seq", "<", event.seq)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return before?.status !== event.status;
}

async function addDelivery(
  transaction: StoreTransaction,
  {
    apiKeyId,
    event,
    fault,
    now,
  }: { apiKeyId: string; event: EventRow; fault: DeliveryFault | undefined; now: number },
): Promise<void> {
  const request: RequestRow = await transaction
    .selectFrom("requests")
    .selectAll()
    .where("id", "=", event.request_id)
    .executeTakeFirstOrThrow();
  const isDropped = fault === "drop";
  await insertDelivery(transaction, {
    api_key_id: apiKeyId,
    event_seq: event.seq,
    fault: fault ?? null,
    finished_at: isDropped ? now : null,
    kind: "event",
    next_at: fault === "reorder" ? now + overtakingMs : now,
    now,
    payload: JSON.stringify(await webhookPayload(transaction, request, event)),
    request_id: event.request_id,
    state: isDropped ? "dropped" : "pending",
    status: event.status,
  });
}
