import { HttpError, type HttpErrorOptions } from "./HttpError.ts";

/**
 * The service responded 429: too many calls. The call was not processed, so a retry is always safe.
 *
 * @example
 * import { createClient, getChains, production, RateLimitedError } from "waybill/client";
 *
 * try {
 *   await getChains(createClient(production));
 * } catch (error) {
 *   if (error instanceof RateLimitedError) console.log(error.retryAfterMs ?? 1_000);
 * }
 */
export class RateLimitedError extends HttpError {
  override readonly name = "RateLimitedError";

  constructor(options: Omit<HttpErrorOptions, "code" | "metaMessages" | "retryable">) {
    const { retryAfterMs } = options;
    const asked = retryAfterMs === undefined ? "names no time to wait" : `asks to wait ${retryAfterMs} ms`;
    super({ ...options, code: "RATE_LIMITED", metaMessages: [`The service ${asked}.`], retryable: true });
  }
}
