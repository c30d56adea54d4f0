import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { type WebhookEvent, webhookEventSchema } from "../schema/request/statusUpdate.ts";
import { firstIssue } from "../schema/wire/firstIssue.ts";

/**
 * A key that is the same for every delivery of one event: the service sends no id of its own. It covers which request
 * reached which status, when, and with which transactions.
 *
 * @returns 32 bytes in hexadecimal, without `0x`.
 * @throws InvalidParameterError when it is not an event.
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
  const parsed = webhookEventSchema.safeParse(webhookEvent);
  if (!parsed.success) {
    const { path, reason } = firstIssue(parsed.error);
    throw new InvalidParameterError({ parameter: path === "" ? "event" : `event.${path}`, reason });
  }
  const { data, event } = parsed.data;
  const { inTxHashes = [], requestId, status, txHashes = [], updatedAt } = data;
  // JSON keeps the parts apart: no part can be made to look like two.
  const text = JSON.stringify([event, requestId.toLowerCase(), status, updatedAt, inTxHashes, txHashes]);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
