import { BaseError } from "./BaseError.ts";
import { redactUrl } from "./redactUrl.ts";

/** Call that failed, as the service described it. */
export type FailedCallData = {
  data?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  value?: string | undefined;
};

/** What an {@link HttpError} is made of. */
export type HttpErrorOptions = {
  cause?: unknown;
  /** Waybill's own code; subclasses set theirs. */
  code?: string | undefined;
  /** The service's code: `errorCode`, or `code` on the endpoints that call it so. */
  errorCode?: string | undefined;
  errorData?: unknown;
  failedCallData?: FailedCallData | undefined;
  /** The service's sentence. */
  details?: string | undefined;
  metaMessages?: readonly string[] | undefined;
  method: string;
  requestId?: string | undefined;
  retryable?: boolean | undefined;
  /** From `Retry-After`, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** The HTTP status that really came, never one from the body. */
  status: number;
  /** May hold secrets: only the redacted form is kept. */
  url: string;
};

/**
 * The service answered with a status other than 2xx.
 *
 * @example
 * import { createClient, getChains, HttpError, production } from "waybill/client";
 *
 * try {
 *   await getChains(createClient(production));
 * } catch (error) {
 *   if (error instanceof HttpError) console.log(error.status, error.errorCode, error.retryable);
 * }
 */
export class HttpError extends BaseError {
  override readonly name: string = "HttpError";
  /** The service's code, when the body carried one. */
  declare readonly errorCode: string | undefined;
  /** Details that the service sent with the code, for example a revert reason. */
  declare readonly errorData: unknown;
  /** The destination call that failed while quoting, when the service named it. */
  declare readonly failedCallData: FailedCallData | undefined;
  declare readonly method: string;
  /** The service's id of the request, to quote to its support. */
  declare readonly requestId: string | undefined;
  /** Milliseconds the service asked to wait; `undefined` when it named none. */
  declare readonly retryAfterMs: number | undefined;
  declare readonly status: number;
  /** Without credentials and without query values. */
  declare readonly url: string;

  constructor(options: HttpErrorOptions) {
    const { code = "HTTP_ERROR", errorCode, method, requestId, status } = options;
    const url = redactUrl(options.url);
    const named = errorCode === undefined ? "" : ` (${errorCode})`;
    super(`${method} ${url} answered ${status}${named}.`, {
      cause: options.cause,
      code,
      details: options.details,
      metaMessages: [
        ...(options.metaMessages ?? []),
        ...(requestId === undefined ? [] : [`Request id: ${requestId}`]),
      ],
      retryable: options.retryable,
    });
    Object.assign(this, {
      errorCode,
      errorData: options.errorData,
      failedCallData: options.failedCallData,
      method,
      requestId,
      retryAfterMs: options.retryAfterMs,
      status,
      url,
    });
  }
}
