import { assertRequestId } from "../client/assertRequestId.ts";
import type { Client } from "../client/createClient.ts";
import { getStatus } from "../client/getStatus.ts";
import type { RequestErrorType } from "../client/request.ts";
import { BaseError } from "../errors/BaseError.ts";
import { HttpError } from "../errors/HttpError.ts";
import { RequestFailedError } from "../errors/RequestFailedError.ts";
import { TimeoutError } from "../errors/TimeoutError.ts";
import { assertNumber } from "../internal/assertNumber.ts";
import { backoffDelay } from "../internal/backoff.ts";
import { type Deadline, startDeadline } from "../internal/deadline.ts";
import { type RequestProgress, reduceStatus } from "./reduceStatus.ts";

/** Upper bound of the pause after polls that failed, in milliseconds. */
const longestPause = 30_000;

/** Parameters of {@link waitForRequest}. */
export type WaitForRequestParameters = {
  /**
   * Milliseconds for which a `failure` is not believed, because a refund may follow it. Default 2000.
   */
  failureGrace?: number | undefined;
  /** Called for every change, and awaited. */
  onStatus?: ((progress: RequestProgress) => void | Promise<void>) | undefined;
  /** Milliseconds between two polls. Default 1000: the service asks for no more than one a second. */
  pollingInterval?: number | undefined;
  /** 32 bytes in hexadecimal. */
  requestId: string;
  signal?: AbortSignal | undefined;
  /** Milliseconds. Default ten minutes. */
  timeout?: number | undefined;
};

/** What {@link waitForRequest} returns. */
export type WaitForRequestReturnType = RequestProgress & {
  readonly requestId: string;
  readonly status: "success";
};

/** What {@link waitForRequest} throws. */
export type WaitForRequestErrorType = RequestErrorType | RequestFailedError;

/**
 * Follows a request by polling until it ends.
 *
 * Polls that fail in a passing way (429, 503, no answer) slow it down and nothing more. A `failure` counts
 * only when it still stands after `failureGrace`.
 *
 * @throws WaitForRequestErrorType — RequestFailedError when the request ends in `failure` or `refund`,
 * TimeoutError with the last status when it does not end in time, AbortedError when `signal` fires.
 *
 * @example
 * import { createClient, waitForRequest } from "waybill/client";
 *
 * const { txHashes } = await waitForRequest(createClient(), {
 *   onStatus: ({ status }) => console.log(status),
 *   requestId: "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a",
 *   timeout: 120_000,
 * });
 * console.log(txHashes);
 */
export async function waitForRequest(
  client: Client,
  parameters: WaitForRequestParameters,
): Promise<WaitForRequestReturnType> {
  const {
    failureGrace = 2_000,
    onStatus,
    pollingInterval = 1_000,
    requestId,
    signal,
    timeout = 600_000,
  } = parameters;
  assertRequestId(requestId);
  assertNumber("failureGrace", failureGrace, 0);
  assertNumber("pollingInterval", pollingInterval, 1);
  assertNumber("timeout", timeout, 1);
  const operation = "waiting for a request to end";
  const deadline = startDeadline({ now: client.now, operation, signal, timeoutMs: timeout });
  let progress: RequestProgress | undefined;
  let lastError: unknown;
  let failureSince: number | undefined;
  let misses = 0;
  try {
    while (deadline.timeLeft() > 0) {
      let pause = pollingInterval;
      const answer = await poll(client, requestId, deadline);
      if ("error" in answer) {
        lastError = answer.error;
        misses += 1;
        pause +=
          minimumPause(answer.error) + backoffDelay(misses, pauseShape(pollingInterval), client.random);
      } else {
        misses = 0;
        const next = reduceStatus(progress, answer);
        const isNews = next !== progress;
        progress = next;
        if (isNews && next !== undefined) await onStatus?.(next);
        failureSince = next?.status === "failure" ? (failureSince ?? client.now()) : undefined;
        if (next !== undefined && hasEnded(next, failureSince, failureGrace, client.now())) {
          return toResult(requestId, next);
        }
      }
      await deadline.race(client.sleep(Math.min(pause, Math.max(0, deadline.timeLeft())), deadline.signal));
    }
    throw new TimeoutError({ operation, timeoutMs: timeout });
  } catch (error) {
    if (!isOwnTimeout(error, operation)) throw error;
    throw new TimeoutError({
      cause: lastError,
      lastStatus: progress?.status,
      operation,
      requestId,
      timeoutMs: timeout,
    });
  } finally {
    deadline[Symbol.dispose]();
  }
}

type Answer = Awaited<ReturnType<typeof getStatus>> | { error: unknown };

/** One poll. Errors that pass by themselves are values here, all others are thrown. */
async function poll(client: Client, requestId: string, deadline: Deadline): Promise<Answer> {
  deadline.signal.throwIfAborted();
  const timeout = Math.max(1, Math.min(client.timeout, deadline.timeLeft()));
  try {
    return await getStatus(client, { requestId, retryCount: 0, signal: deadline.signal, timeout });
  } catch (error) {
    deadline.signal.throwIfAborted();
    if (error instanceof BaseError && error.retryable) return { error };
    throw error;
  }
}

function pauseShape(pollingInterval: number): { baseDelayMs: number; maxDelayMs: number } {
  return { baseDelayMs: pollingInterval, maxDelayMs: Math.max(longestPause, pollingInterval) };
}

function minimumPause(error: unknown): number {
  return error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0;
}

function hasEnded(
  { status }: RequestProgress,
  failureSince: number | undefined,
  failureGrace: number,
  now: number,
): boolean {
  if (failureSince !== undefined) return now - failureSince >= failureGrace;
  return status === "success" || status === "refund";
}

function toResult(requestId: string, progress: RequestProgress): WaitForRequestReturnType {
  const { status } = progress;
  if (status === "success") return { ...progress, requestId, status };
  throw new RequestFailedError({
    ...progress,
    requestId,
    status: status === "refund" ? "refund" : "failure",
  });
}

/** Tells the limit of the whole wait from a limit that the caller put around it. */
function isOwnTimeout(error: unknown, operation: string): boolean {
  return error instanceof TimeoutError && error.operation === operation;
}
