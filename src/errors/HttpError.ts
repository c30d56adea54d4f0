import { BaseError } from "./BaseError.ts";
import { redactUrl } from "./redactUrls.ts";

/** A failed call, as described by the service. */
export type FailedCallData = {
  data?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  value?: string | undefined;
};

export type HttpErrorOptions = {
  cause?: unknown;
  /** Waybill's code; subclasses set theirs. */
  code?: string | undefined;
  /** The service's code: `errorCode`, or `code` on some endpoints. */
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
  /** The HTTP status of the response, never one from the body. */
  status: number;
  /** May contain secrets; stored redacted. */
  url: string;
};

/**
 * The service responded with a status other than 2xx.
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
  /** The service's code, if the body has one. */
  declare readonly errorCode: string | undefined;
  /** The service's details of the code, for example a revert reason. */
  declare readonly errorData: unknown;
  /** The destination call that failed while quoting, if the service names it. */
  declare readonly failedCallData: FailedCallData | undefined;
  declare readonly method: string;
  /** The service's id of the HTTP request, for its support. */
  declare readonly requestId: string | undefined;
  /** Milliseconds to wait, from `Retry-After`; `undefined` without the header. */
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
