import { type WebhookEvent, webhookEventSchema } from "../schema/request/statusUpdate.ts";
import { readBy } from "../schema/wire/readBy.ts";
import { toHex } from "./hmac.ts";

/**
 * Computes a key that is equal for all deliveries of an event: the service sends no event id. Covers request, status,
 * time and transactions.
 *
 * @returns 32 bytes in hexadecimal, without `0x`.
 * @throws InvalidParameterError for a value that is no event.
 *
 * @example
 * import { dedupeKey } from "waybill/webhooks";
 *
 * const requestId = `0x${"a8".repeat(32)}`;
 * console.log(
 *   await dedupeKey({
 *     data: { requestId, status: "success", updatedAt: 1_700_000_000_000 },
 *     event: "request.status.updated",
 *     timestamp: 1_700_000_000_000,
 *   }),
 * );
 */
export async function dedupeKey(webhookEvent: WebhookEvent): Promise<string> {
  const { data, event } = readBy(webhookEventSchema, webhookEvent, "event");
  const { inTxHashes = [], requestId, status, txHashes = [], updatedAt } = data;
  // JSON separates the parts unambiguously.
  const text = JSON.stringify([event, requestId.toLowerCase(), status, updatedAt, inTxHashes, txHashes]);
  return toHex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
