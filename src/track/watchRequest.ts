import type { Client } from "../client/internal/Client.ts";
import { leastPollingInterval } from "../client/internal/constants.ts";
import { assertRequestId } from "../client/internal/parameters.ts";
import { TimeoutError } from "../errors/TimeoutError.ts";
import { type Deadline, longestTimer, startDeadline } from "../internal/deadline.ts";
import { assertFunction, assertNumber } from "../internal/readParts.ts";
import { RequestWatch, type WatchOptions } from "./RequestWatch.ts";
import { defaultFailureGrace, type RequestProgress } from "./reduceStatus.ts";
import type { StatusStream } from "./StatusStream.ts";

export type WatchRequestParameters = {
  /** Milliseconds for which a `failure` is provisional, because a refund may follow. Default: 2000. */
  failureGrace?: number | undefined;
  /** Milliseconds between polls. Default and minimum: 1000, because the service allows one a second. */
  pollingInterval?: number | undefined;
  /** 32 bytes in hexadecimal. */
  requestId: string;
  signal?: AbortSignal | undefined;
  /** Milliseconds of silence of `stream` before polling. Default: 10,000. */
  silence?: number | undefined;
  /** Push source of changes, which makes polls rare: `websocketStream()`. Default: none. */
  stream?: StatusStream | undefined;
  /** Milliseconds. Default: no limit. */
  timeout?: number | undefined;
};

export type WatchRequestReturnType = AsyncGenerator<RequestProgress, void, undefined>;

const operation = "waiting for a request to end";

/**
 * Iterates over the changes of a request, each once and in forward order. Ends with a
 * `success` or `refund` that a poll returned, or a `failure` that a poll still finds after `failureGrace`. Reports a
 * `failure` at once and continues; the request has failed only if the iteration ends there.
 *
 * With a stream, polls when it starts, breaks or is silent, and to confirm every end that the stream reports. Without a live stream,
 * polls every `pollingInterval`. Temporary errors (429, 503, no response) only slow it down. A slow reader misses
 * changes within a status, and the oldest beyond 32.
 *
 * Leaving the loop or firing `signal` releases all resources.
 *
 * @throws RequestErrorType — InvalidParameterError for a `pollingInterval` below a second, TimeoutError with the
 * last status, AbortedError when `signal` fires, and permanent errors of polls.
 *
 * @example
 * import { createClient, production, watchRequest } from "waybill/client";
 *
 * const requestId = "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a";
 * for await (const { status, txHashes } of watchRequest(createClient(production), { requestId })) console.log(status, txHashes);
 */
export async function* watchRequest(
  client: Client,
  parameters: WatchRequestParameters,
): WatchRequestReturnType {
  const { signal, stream, timeout = Number.POSITIVE_INFINITY } = parameters;
  const options = readOptions(parameters);
  const closing = new AbortController();
  const deadline = startDeadline({ now: client.now, operation, signal, timeoutMs: timeout });
  const watch = new RequestWatch(client, { ...options, signal: closing.signal });
  const expire = () => {
    closing.abort(deadline.signal.reason);
    watch.wake();
  };
  deadline.signal.addEventListener("abort", expire);
  try {
    assertInTime(watch, deadline, timeout);
    stream?.(client, {
      onDown: () => watch.setLive(false),
      onLive: () => watch.setLive(true),
      onUpdate: (update) => watch.hear(update),
      requestId: parameters.requestId,
      signal: closing.signal,
    });
    for (;;) {
      // Created before the checks, so that changes during them wake the wait.
      const news = new Promise<void>((resolve) => {
        watch.wake = resolve;
      });
      for (let change = watch.changes.shift(); change !== undefined; change = watch.changes.shift()) {
        yield change;
      }
      if (watch.isOver) return;
      assertInTime(watch, deadline, timeout);
      if (watch.fatal !== undefined) throw watch.fatal.error;
      await rest(watch, news, deadline.timeLeft());
    }
  } finally {
    closing.abort();
    deadline[Symbol.dispose]();
  }
}

function readOptions(parameters: WatchRequestParameters): Omit<WatchOptions, "signal"> {
  const { failureGrace = defaultFailureGrace, pollingInterval = 1_000, silence = 10_000 } = parameters;
  const { requestId } = parameters;
  assertRequestId(requestId);
  if (parameters.stream !== undefined) assertFunction("stream", parameters.stream);
  assertNumber("failureGrace", failureGrace, 0);
  assertNumber("pollingInterval", pollingInterval, leastPollingInterval);
  assertNumber("silence", silence, 1);
  if (parameters.timeout !== undefined) assertNumber("timeout", parameters.timeout, 1);
  return { failureGrace, pollingInterval, requestId, silence };
}

function assertInTime(watch: RequestWatch, { signal, timeLeft }: Deadline, timeoutMs: number): void {
  const reason: unknown = signal.reason;
  // An outer limit of the caller is thrown unchanged.
  if (signal.aborted && !(reason instanceof TimeoutError && reason.operation === operation)) throw reason;
  if (!signal.aborted && timeLeft() > 0) return;
  const { lastError, options, progress } = watch;
  const { requestId } = options;
  throw new TimeoutError({ cause: lastError, lastStatus: progress?.status, operation, requestId, timeoutMs });
}

/** Waits for a change or the next poll; a pending poll ends the wait too. */
async function rest(watch: RequestWatch, news: Promise<void>, timeLeft: number): Promise<void> {
  const { client } = watch;
  const untilPoll = watch.pollAt - client.now();
  const pause = Math.min(untilPoll, timeLeft, longestTimer);
  if (pause <= 0 && !watch.isPolling) void watch.poll();
  if (watch.isPolling) return news;
  const timer = new AbortController();
  try {
    const slept = client.sleep(pause, timer.signal).then(
      () => pause === untilPoll,
      () => undefined,
    );
    // Ignores the clock, which may have been set back.
    if (await Promise.race([news, slept])) watch.askForPollNow();
  } finally {
    timer.abort();
  }
}
