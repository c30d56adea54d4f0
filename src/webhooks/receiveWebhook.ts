import { assertFunction, assertNumber } from "../internal/readParts.ts";
import type { WebhookEvent } from "../schema/request/statusUpdate.ts";
import type { WebhookHeaders } from "./headers.ts";
import type { BodyLimit } from "./readStream.ts";
import type { SeenStore } from "./SeenStore.ts";
import { type RawBody, type VerifyWebhookParameters, verifyWebhook } from "./verifyWebhook.ts";
import { type WebhookFault, WebhookInvalidError } from "./WebhookInvalidError.ts";

/**
 * Parameters of every adapter: verification, handlers, and the time limit of a body. Express and Fastify read bodies
 * themselves: there `requestTimeout` of the server is the limit.
 */
export type WebhookHandlerParameters = BodyLimit &
  VerifyWebhookParameters & {
    /**
     * Handles an event once. If it throws, the response is 500 and the service retries. Must finish within the service's
     * timeout.
     */
    onEvent: (event: WebhookEvent, delivery: { dedupeKey: string; sentAt: number }) => void | Promise<void>;
    /** Called with the error of a rejection or failure, for logs. */
    onError?: ((error: unknown) => void) | undefined;
    /** Prevents handling repeated deliveries. Without it, every delivery is handled. */
    seen?: SeenStore | undefined;
  };

/** Response to the service. */
export type WebhookAnswer = {
  body: { message: string; reason?: string };
  /** 200: handled or already seen; 400: no webhook; 401: not authentic; 408: too slow; 413: too long; 500: the handler failed. */
  status: 200 | 400 | 401 | 408 | 413 | 500;
};

const statuses: Readonly<Partial<Record<WebhookFault, WebhookAnswer["status"]>>> = {
  future: 401,
  no_match: 401,
  stale: 401,
  too_long: 413,
  too_slow: 408,
};

/**
 * Verifies a webhook, handles its event once and returns the response. The basis of the adapters; use it for other
 * servers.
 *
 * @param rawBody The received bytes, or the promise of them.
 * @throws InvalidParameterError, and the error of a body that cannot be read.
 *
 * @example
 * import { receiveWebhook } from "waybill/webhooks";
 *
 * const { status } = await receiveWebhook("{}", {}, { onEvent: console.log, secrets: ["your-key"] });
 * console.log(status); // 400
 */
export async function receiveWebhook(
  rawBody: RawBody | Promise<RawBody>,
  headers: WebhookHeaders,
  parameters: WebhookHandlerParameters,
): Promise<WebhookAnswer> {
  assertHandler(parameters);
  const { onError, onEvent, seen, ...verification } = parameters;
  let verified: Awaited<ReturnType<typeof verifyWebhook>>;
  try {
    verified = await verifyWebhook(await rawBody, headers, verification);
  } catch (error) {
    if (!(error instanceof WebhookInvalidError)) throw error;
    onError?.(error);
    const { reason } = error;
    return { body: { message: "Refused", reason }, status: statuses[reason] ?? 400 };
  }
  const { dedupeKey, event, sentAt } = verified;
  try {
    if (seen !== undefined && !(await seen.claim(dedupeKey))) {
      return { body: { message: "Seen before" }, status: 200 };
    }
  } catch (error) {
    onError?.(error);
    return { body: { message: "Not handled" }, status: 500 };
  }
  try {
    await onEvent(event, { dedupeKey, sentAt });
    return { body: { message: "Handled" }, status: 200 };
  } catch (error) {
    onError?.(error);
    await releaseQuietly(seen, dedupeKey, onError);
    return { body: { message: "Not handled" }, status: 500 };
  }
}

/**
 * Rejects invalid handlers before the first event.
 *
 * @throws InvalidParameterError
 */
export function assertHandler(parameters: WebhookHandlerParameters): void {
  const { bodyTimeout, onError, onEvent, seen, sleep } = parameters;
  assertFunction("onEvent", onEvent);
  if (bodyTimeout !== undefined) assertNumber("bodyTimeout", bodyTimeout, 1);
  if (sleep !== undefined) assertFunction("sleep", sleep);
  if (onError !== undefined) assertFunction("onError", onError);
  if (seen === undefined) return;
  assertFunction("seen.claim", seen?.claim);
  assertFunction("seen.release", seen?.release);
}

async function releaseQuietly(
  seen: SeenStore | undefined,
  key: string,
  onError: ((error: unknown) => void) | undefined,
): Promise<void> {
  try {
    await seen?.release(key);
  } catch (error) {
    onError?.(error);
  }
}
