import { HttpError, type HttpErrorOptions } from "./HttpError.ts";

/**
 * The service answered 429: the caller sent too much. It is another thing than having no route, and the
 * call was not looked at, so it may always be repeated.
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
