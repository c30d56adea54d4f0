import { BaseError } from "./BaseError.ts";
import { redactUrl } from "./redactUrls.ts";

export type ResponseTooLargeErrorOptions = Pick<ResponseTooLargeError, "limit" | "method" | "status" | "url">;

/**
 * A response exceeds `maxResponseBytes`, or a quote 1,000,000 bytes. The client stopped reading at the limit. A
 * submission may have taken effect.
 *
 * @example
 * import { createClient, getChains, production, ResponseTooLargeError } from "waybill/client";
 *
 * const fetch = async () => new Response(" ".repeat(1_025));
 * try {
 *   await getChains(createClient({ ...production, fetch, maxResponseBytes: 1_024 }));
 * } catch (error) {
 *   if (error instanceof ResponseTooLargeError) console.log(error.limit); // 1024
 * }
 */
export class ResponseTooLargeError extends BaseError {
  override readonly name = "ResponseTooLargeError";
  /** Bytes. */
  declare readonly limit: number;
  declare readonly method: string;
  declare readonly status: number;
  /** Without credentials and without query values. */
  declare readonly url: string;

  constructor({ limit, method, status, url }: ResponseTooLargeErrorOptions) {
    const redacted = redactUrl(url);
    super(`${method} ${redacted} answered ${status} with more than ${limit} bytes.`, {
      code: "RESPONSE_TOO_LARGE",
      metaMessages: ["Raise `maxResponseBytes` to read more; quotes have 1 MB at most."],
    });
    Object.assign(this, { limit, method, status, url: redacted });
  }
}
