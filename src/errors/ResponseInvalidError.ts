import { BaseError } from "./BaseError.ts";
import { redactUrl } from "./redactUrl.ts";

/** What a {@link ResponseInvalidError} is made of. */
export type ResponseInvalidErrorOptions = {
  method: string;
  /** Where in the body, dotted (`steps.0.items.0.data.to`); empty for the body as a whole. */
  path: string;
  /** What was expected there. Never the value itself: it comes from outside and may be anything. */
  reason: string;
  /** A body cut short on the way may be whole the next time. */
  retryable?: boolean | undefined;
  status: number;
  url: string;
};

/**
 * The service answered 2xx, but the body is not what the interface says.
 *
 * @example
 * import { createClient, getChains, production, ResponseInvalidError } from "waybill/client";
 *
 * const client = createClient({ ...production, fetch: async () => Response.json({ chains: "none" }) });
 * try {
 *   await getChains(client);
 * } catch (error) {
 *   if (error instanceof ResponseInvalidError) console.log(error.path); // "chains"
 * }
 */
export class ResponseInvalidError extends BaseError {
  override readonly name = "ResponseInvalidError";
  declare readonly method: string;
  declare readonly path: string;
  declare readonly reason: string;
  declare readonly status: number;
  /** Without credentials and without query values. */
  declare readonly url: string;

  constructor({ method, path, reason, retryable, status, url }: ResponseInvalidErrorOptions) {
    const redacted = redactUrl(url);
    const where = path === "" ? "a body" : `\`${path}\``;
    super(`${method} ${redacted} answered ${status} with ${where} that is not valid: ${reason}.`, {
      code: "RESPONSE_INVALID",
      retryable,
    });
    Object.assign(this, { method, path, reason, status, url: redacted });
  }
}
