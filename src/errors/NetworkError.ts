import { BaseError } from "./BaseError.ts";
import { redactUrl, redactUrls } from "./redactUrls.ts";

/**
 * No complete response arrived: the connection was refused, dropped, or lost during the body.
 *
 * `retryable` is true for calls without side effects only: a submission may have arrived.
 *
 * @example
 * import { createClient, getChains, NetworkError } from "waybill/client";
 *
 * try {
 *   await getChains(createClient({ baseUrl: "http://127.0.0.1:1" }));
 * } catch (error) {
 *   if (error instanceof NetworkError) console.log(error.url);
 * }
 */
export class NetworkError extends BaseError {
  override readonly name = "NetworkError";
  declare readonly method: string;
  /** Without credentials and without query values. */
  declare readonly url: string;

  constructor({ cause, method, retryable, url }: NetworkErrorOptions) {
    const redacted = redactUrl(url);
    super(`${method} ${redacted} got no answer.`, {
      // The cause's text may contain the URL with its query.
      details: cause instanceof Error ? redactUrls(cause.message) : undefined,
      code: "NETWORK_ERROR",
      retryable,
    });
    Object.assign(this, { method, url: redacted });
  }
}

export type NetworkErrorOptions = {
  /** Error of `fetch`; only its text is kept, with URLs redacted. */
  cause: unknown;
  method: string;
  retryable: boolean;
  url: string;
};
