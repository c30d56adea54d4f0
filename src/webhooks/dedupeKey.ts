import type { WebhookEvent } from "../schema/statusUpdate.ts";

/**
 * A key that is the same for every delivery of one event: the service sends no id of its own. It covers which request
 * reached which status, when, and with which transactions.
 *
 * @returns 32 bytes in hexadecimal, without `0x`.
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
export async function dedupeKey({ data, event }: WebhookEvent): Promise<string> {
  const { inTxHashes = [], requestId, status, txHashes = [], updatedAt } = data;
  // JSON keeps the parts apart: no part can be made to look like two.
  const text = JSON.stringify([event, requestId.toLowerCase(), status, updatedAt, inTxHashes, txHashes]);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
