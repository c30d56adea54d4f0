import { assertValid } from "../internal/readParts.ts";
import { signatureHeader, timestampHeader } from "./headers.ts";
import { importSecret, signedBytes, toHex } from "./hmac.ts";

export type SignWebhookParameters = {
  /** The API key. */
  secret: string;
  /** Unix seconds of sending, as the header has them. Default now. */
  timestamp?: number | undefined;
};

/** The signature headers. */
export type SignWebhookReturnType = Record<typeof signatureHeader | typeof timestampHeader, string>;

/**
 * Signs a webhook like the service, for tests of a receiver.
 *
 * @throws InvalidParameterError
 *
 * @example
 * import { signWebhook } from "waybill/webhooks";
 *
 * const headers = await signWebhook('{"event":"request.status.updated"}', { secret: "your-key" });
 * console.log(headers["x-signature-sha256"].length); // 64
 */
export async function signWebhook(
  body: string | Uint8Array,
  { secret, timestamp = Math.floor(Date.now() / 1_000) }: SignWebhookParameters,
): Promise<SignWebhookReturnType> {
  assertValid(typeof secret === "string" && secret !== "", "secret", "it is empty");
  assertValid(Number.isSafeInteger(timestamp) && timestamp >= 0, "timestamp", "not a unix time");
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  assertValid(bytes instanceof Uint8Array, "body", "neither a text nor bytes");
  const key = await importSecret(secret);
  const signature = await crypto.subtle.sign("HMAC", key, signedBytes(String(timestamp), bytes));
  return { [signatureHeader]: toHex(signature), [timestampHeader]: String(timestamp) };
}
