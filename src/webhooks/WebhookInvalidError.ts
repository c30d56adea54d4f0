import { BaseError } from "../errors/BaseError.ts";

/**
 * Reasons to reject a webhook.
 *
 * - `parsed_body`: the handler was given a parsed body; only raw bytes can be verified.
 * - `missing_header`, `duplicate_header`: a signature header is missing or repeated.
 * - `bad_timestamp`: the timestamp is no unix time.
 * - `stale`, `future`: the timestamp is outside the tolerance.
 * - `bad_hex`: the signature is not 32 bytes in hexadecimal.
 * - `no_match`: no secret produces this signature for this body and timestamp.
 * - `too_long`: the body is longer than any webhook.
 * - `too_slow`: the body did not end within `bodyTimeout`.
 * - `bad_body`: the signature is valid, but the body is no event of the service.
 */
export type WebhookFault = keyof typeof sentences;

const sentences = {
  bad_body: "Its body is not an event of the service",
  bad_hex: "Its signature is not 32 bytes in hexadecimal",
  bad_timestamp: "Its time of sending is not a unix time",
  duplicate_header: "A header of its signature is there more than once",
  future: "It was sent in the future, further than the tolerance",
  missing_header: "A header of its signature is missing",
  no_match: "No secret gives its signature",
  parsed_body: "Its body was parsed before it was verified: give the raw bytes",
  stale: "It was sent longer ago than the tolerance",
  too_long: "Its body is longer than any webhook",
  too_slow: "Its body did not end in time",
};

/**
 * A request is no authentic webhook. Respond with a status other than 2xx.
 *
 * @example
 * import { verifyWebhook, WebhookInvalidError } from "waybill/webhooks";
 *
 * try {
 *   await verifyWebhook("{}", {}, { secrets: ["your-key"] });
 * } catch (error) {
 *   if (error instanceof WebhookInvalidError) console.log(error.reason); // "missing_header"
 * }
 */
export class WebhookInvalidError extends BaseError {
  override readonly name = "WebhookInvalidError";
  readonly reason: WebhookFault;

  constructor({ details, reason }: { details?: string | undefined; reason: WebhookFault }) {
    super(`The webhook is refused. ${sentences[reason]}.`, { code: "WEBHOOK_INVALID", details });
    this.reason = reason;
  }
}
