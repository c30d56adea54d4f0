import { BaseError } from "./BaseError.ts";

export type TimeoutErrorOptions = {
  cause?: unknown;
  /** Last status of a tracked request, if any was read. */
  lastStatus?: string | undefined;
  /** Completes "Timed out … while". */
  operation: string;
  requestId?: string | undefined;
  /** Whether another wait can help. */
  retryable?: boolean | undefined;
  /** The limit, in milliseconds. */
  timeoutMs: number;
};

/**
 * A wait reached its limit. The operation may still succeed.
 *
 * @example
 * import { createClient, production, TimeoutError, waitForRequest } from "waybill/client";
 *
 * try {
 *   const requestId = "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a";
 *   await waitForRequest(createClient(production), { requestId, timeout: 60_000 });
 * } catch (error) {
 *   if (error instanceof TimeoutError) console.log(error.lastStatus); // for example "pending"
 * }
 */
export class TimeoutError extends BaseError {
  override readonly name = "TimeoutError";
  declare readonly lastStatus: string | undefined;
  declare readonly operation: string;
  declare readonly requestId: string | undefined;
  declare readonly timeoutMs: number;

  constructor({ cause, lastStatus, operation, requestId, retryable = true, timeoutMs }: TimeoutErrorOptions) {
    super(`Timed out after ${timeoutMs} ms while ${operation}.`, {
      cause,
      code: "TIMEOUT",
      metaMessages: [
        ...(requestId === undefined ? [] : [`Request id: ${requestId}`]),
        ...(lastStatus === undefined ? [] : [`Last status: ${lastStatus}`]),
      ],
      retryable,
    });
    Object.assign(this, { lastStatus, operation, requestId, timeoutMs });
  }
}
