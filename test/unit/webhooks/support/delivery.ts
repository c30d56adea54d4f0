import { createHmac } from "node:crypto";
import type { WebhookHandlerParameters } from "../../../../src/webhooks/index.ts";

export const secret = "key-3f1c9d";
/** Unix milliseconds. */
export const now = 1_700_000_000_000;
export const requestId = `0x${"a8".repeat(32)}`;

/** The body of a webhook, with spaces and an order of keys that no serializer would give. */
export function eventBody(data: Record<string, unknown> = {}): string {
  const fields = { status: "success", updatedAt: now, requestId, txHashes: [], ...data };
  return `{ "timestamp": ${now},  "event":"request.status.updated", "data": ${JSON.stringify(fields)} }`;
}

/** Headers as the service writes them, made without the code under test. */
export function headersOf(
  body: string | Uint8Array,
  { key = secret, timestamp = String(now / 1_000) }: { key?: string; timestamp?: string } = {},
): Record<string, string> {
  const signature = createHmac("sha256", key).update(`${timestamp}.`).update(body).digest("hex");
  return { "X-Signature-SHA256": signature, "X-Signature-Timestamp": timestamp };
}

/** The default event as {@link stage} records it. */
export const handled = `${requestId} success`;

/** Parameters of a handler that records events and errors. */
export function stage(more: Partial<WebhookHandlerParameters> = {}) {
  const [errors, events]: [unknown[], string[]] = [[], []];
  const parameters: WebhookHandlerParameters = {
    now: () => now,
    onError: (error) => errors.push(error),
    onEvent: ({ data }) => void events.push(`${data.requestId} ${data.status}`),
    secrets: [secret],
    ...more,
  };
  return { errors, events, parameters };
}
