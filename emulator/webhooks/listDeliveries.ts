import { webhookEventSchema } from "../../src/schema/request/statusUpdate.ts";
import { WebhookRefusedError } from "../errors/refusals.ts";
import type { Store, WebhookAttemptRow, WebhookDeliveryRow } from "../store/tables.ts";
import {
  largestPage,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookDeliveryFilter,
  type WebhookDeliveryPage,
} from "./Webhook.ts";

const defaultPageSize = 20;

/** Lists deliveries of a key, newest first. New deliveries do not shift later pages. */
export async function listDeliveries(
  store: Store,
  apiKeyId: string,
  filter: WebhookDeliveryFilter = {},
): Promise<WebhookDeliveryPage> {
  const { continuation, kind, limit = defaultPageSize, requestId, state, status } = filter;
  let query = store.selectFrom("webhook_deliveries").selectAll().where("api_key_id", "=", apiKeyId);
  if (requestId !== undefined) query = query.where("request_id", "=", requestId.toLowerCase());
  if (state !== undefined) query = query.where("state", "=", state);
  if (status !== undefined) query = query.where("status", "=", status);
  if (kind !== undefined) query = query.where("kind", "=", kind);
  if (continuation !== undefined) query = query.where("id", "<", readCursor(continuation));
  const size = Math.min(Math.max(limit, 1), largestPage);
  const rows = await query
    .orderBy("id", "desc")
    .limit(size + 1)
    .execute();
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return {
    deliveries: await withAttempts(store, page),
    ...(rows.length > size && last !== undefined && { continuation: String(last.id) }),
  };
}

export async function findDelivery(
  store: Store,
  apiKeyId: string,
  id: number,
): Promise<WebhookDelivery | undefined> {
  const rows = await store
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("api_key_id", "=", apiKeyId)
    .where("id", "=", id)
    .execute();
  const [delivery] = await withAttempts(store, rows);
  return delivery;
}

async function withAttempts(store: Store, rows: readonly WebhookDeliveryRow[]): Promise<WebhookDelivery[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const attempts = await store
    .selectFrom("webhook_attempts")
    .selectAll()
    .where("delivery_id", "in", ids)
    .orderBy("id")
    .execute();
  const ofDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  return rows.map((row) => toDelivery(row, ofDelivery.get(row.id) ?? []));
}

function toDelivery(row: WebhookDeliveryRow, attempts: readonly WebhookAttemptRow[]): WebhookDelivery {
  const { id, kind, state, status } = row;
  return {
    ...{ id, kind, state, status },
    apiKeyId: row.api_key_id,
    attempts: attempts.map(toAttempt),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    nextAttemptAt: state === "pending" ? row.next_at : null,
    payload: webhookEventSchema.parse(JSON.parse(row.payload)),
    requestId: row.request_id,
    resendOf: row.resend_of,
  };
}

function toAttempt({ answer, at, duration_ms, error, status_code }: WebhookAttemptRow): WebhookAttempt {
  return { answer, at, durationMs: duration_ms, error, statusCode: status_code };
}

/** A cursor is the id of the last delivery of a page. */
function readCursor(continuation: string): number {
  if (/^\d{1,15}$/.test(continuation)) return Number(continuation);
  throw new WebhookRefusedError("The continuation is invalid: use that of an earlier page.");
}
