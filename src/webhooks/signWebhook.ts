import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { signatureHeader, timestampHeader } from "./headers.ts";
import { importSecret, signBytes, signedBytes } from "./hmac.ts";

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
  if (typeof secret !== "string" || secret === "") {
    throw new InvalidParameterError({ parameter: "secret", reason: "it is empty" });
  }
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) {
    throw new InvalidParameterError({ parameter: "timestamp", reason: "not a unix time" });
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (!(bytes instanceof Uint8Array)) {
    throw new InvalidParameterError({ parameter: "body", reason: "neither a text nor bytes" });
  }
  const signature = await signBytes(await importSecret(secret), signedBytes(String(timestamp), bytes));
  return { [signatureHeader]: signature, [timestampHeader]: String(timestamp) };
}
