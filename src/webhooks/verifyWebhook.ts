import { assertFunction, assertNumber, assertValid } from "../internal/readParts.ts";
import { type WebhookEvent, webhookEventSchema } from "../schema/request/statusUpdate.ts";
import { firstIssue } from "../schema/wire/firstIssue.ts";
import { dedupeKey } from "./dedupeKey.ts";
import { readHeader, signatureHeader, timestampHeader, type WebhookHeaders } from "./headers.ts";
import { importSecret, signedBytes } from "./hmac.ts";
import { WebhookInvalidError } from "./WebhookInvalidError.ts";

/** A raw body. A parsed body cannot be verified: its bytes are lost. */
export type RawBody = ArrayBuffer | string | Uint8Array;

export type VerifyWebhookParameters = {
  /** Unix milliseconds. Default `Date.now`. */
  now?: (() => number) | undefined;
  /** API keys: the current one and, during a rotation, the previous one. */
  secrets: readonly string[];
  /** Tolerance of the timestamp in both directions, in seconds. Default: 300. */
  toleranceSeconds?: number | undefined;
};

export type VerifyWebhookReturnType = {
  /** Equal for all deliveries of an event, and unique to it. */
  dedupeKey: string;
  event: WebhookEvent;
  /** Index of the matching secret. */
  secretIndex: number;
  /** Unix milliseconds. */
  sentAt: number;
};

const longestBody = 1_048_576;
/** Unix seconds have fewer digits than this for the next 30 000 years, unix milliseconds have more since 2001. */
const leastMilliseconds = 1e12;

/**
 * Verifies a webhook and parses its event. Checks the signature (`X-Signature-SHA256`) and the timestamp
 * (`X-Signature-Timestamp`, in seconds or milliseconds).
 *
 * The service delivers an event up to eleven times, in any order. Deduplicate by `dedupeKey`, and order by
 * `reduceStatus`.
 *
 * @param rawBody The received bytes. `JSON.stringify` of a parsed body yields other bytes.
 * @param headers `Headers`, or an object of them.
 * @throws InvalidParameterError, or WebhookInvalidError with its `reason`.
 *
 * @example
 * import { signWebhook, verifyWebhook } from "waybill/webhooks";
 *
 * const requestId = `0x${"a8".repeat(32)}`;
 * const body = JSON.stringify({
 *   data: { requestId, status: "success", updatedAt: Date.now() },
 *   event: "request.status.updated",
 *   timestamp: Date.now(),
 * });
 * const headers = await signWebhook(body, { secret: "your-key" });
 * const { event } = await verifyWebhook(body, headers, { secrets: ["your-key"] });
 * console.log(event.data.status); // "success"
 */
export async function verifyWebhook(
  rawBody: RawBody,
  headers: WebhookHeaders,
  { now = Date.now, secrets, toleranceSeconds = 300 }: VerifyWebhookParameters,
): Promise<VerifyWebhookReturnType> {
  assertSecrets(secrets);
  assertNumber("toleranceSeconds", toleranceSeconds, 0);
  const body = readBody(rawBody);
  const timestamp = readHeader(headers, timestampHeader);
  const sentAt = readTimestamp(timestamp);
  const signature = readSignature(readHeader(headers, signatureHeader));
  const bytes = signedBytes(timestamp, body);
  // By the platform, in constant time. Tries every secret, so that timing does not reveal the matching one.
  const found = await Promise.all(
    secrets.map(async (secret) => crypto.subtle.verify("HMAC", await importSecret(secret), signature, bytes)),
  );
  const secretIndex = found.indexOf(true);
  if (secretIndex === -1) throw new WebhookInvalidError({ reason: "no_match" });
  assertFunction("now", now);
  const time = now();
  // `NaN` would never count as stale.
  assertNumber("now", time, 0);
  const age = time - sentAt;
  if (Math.abs(age) > toleranceSeconds * 1_000) {
    throw new WebhookInvalidError({ reason: age > 0 ? "stale" : "future" });
  }
  const event = readEvent(body);
  return { dedupeKey: await dedupeKey(event), event, secretIndex, sentAt };
}

function assertSecrets(secrets: readonly string[]): void {
  const good =
    Array.isArray(secrets) && secrets.every((secret) => typeof secret === "string" && secret !== "");
  assertValid(good && secrets.length > 0, "secrets", "not a list of one or more texts");
}

function readBody(rawBody: RawBody): Uint8Array {
  const body = typeof rawBody === "string" ? new TextEncoder().encode(rawBody) : rawBody;
  if (body instanceof ArrayBuffer) return checkLength(new Uint8Array(body));
  if (body instanceof Uint8Array) return checkLength(body);
  throw new WebhookInvalidError({ reason: "parsed_body" });
}

function checkLength(body: Uint8Array): Uint8Array {
  if (body.byteLength > longestBody) throw new WebhookInvalidError({ reason: "too_long" });
  return body;
}

function readTimestamp(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new WebhookInvalidError({ reason: "bad_timestamp" });
  const time = Number(text);
  return time < leastMilliseconds / 10 ? time * 1_000 : time;
}

function readSignature(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[0-9a-fA-F]{64}$/.test(text)) throw new WebhookInvalidError({ reason: "bad_hex" });
  return Uint8Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
}

function readEvent(body: Uint8Array): WebhookEvent {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new WebhookInvalidError({ details: "not JSON", reason: "bad_body" });
  }
  const parsed = webhookEventSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, reason } = firstIssue(parsed.error);
  throw new WebhookInvalidError({ details: path === "" ? reason : `${path}: ${reason}`, reason: "bad_body" });
}
