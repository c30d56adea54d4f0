import { BaseError } from "./BaseError.ts";
import { redactUrl } from "./redactUrls.ts";

export type ResponseInvalidErrorOptions = {
  method: string;
  /** Path in the body, dotted (`steps.0.items.0.data.to`); empty for the body as a whole. */
  path: string;
  /** The expected form. Never the value itself, which comes from outside. */
  reason: string;
  /** A truncated body may be complete on the next attempt. */
  retryable?: boolean | undefined;
  status: number;
  url: string;
};

/**
 * The service responded 2xx with an invalid body.
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
