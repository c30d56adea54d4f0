import type { Client } from "../client/internal/Client.ts";
import { leastPollingInterval } from "../client/internal/constants.ts";
import { BaseError } from "../errors/BaseError.ts";
import { polledStatusSchema } from "../schema/request/polledStatus.ts";
import { pauseAfterMiss } from "./pauseAfterMiss.ts";
import {
  isFinalStatus,
  isSettled,
  type RequestProgress,
  reduceStatus,
  type StatusUpdate,
} from "./reduceStatus.ts";

/** Maximum number of changes buffered for a slow reader; the oldest are dropped. */
const mostChanges = 32;
const ends: readonly string[] = ["success", "failure", "refund", "fallback"];

/** A watched request: its progress, unreported changes, and poll schedule. */
export type RequestWatch = {
  /** Changes that the reader has not taken. */
  readonly changes: RequestProgress[];
  readonly client: Client;
  /** Milliseconds for which a `failure` is provisional. */
  readonly failureGrace: number;
  /** A permanent error. */
  fatal: { readonly error: unknown } | undefined;
  /** Whether a stream is live. */
  isLive: boolean;
  /** Whether the request is over. */
  isOver: boolean;
  isPolling: boolean;
  lastError: unknown;
  /** Time of the last report from any source. */
  lastWordAt: number;
  /** Failed polls since the last success. */
  misses: number;
  /** Progress by polls alone: the end of a request has nothing of a stream's. */
  polled: RequestProgress | undefined;
  /** Time of the last poll's result. */
  polledAt: number;
  /** Earliest time of the next poll. */
  pollFrom: number;
  /** Milliseconds. */
  readonly pollingInterval: number;
  progress: RequestProgress | undefined;
  readonly requestId: string;
  /** Fires when the watch ends. */
  readonly signal: AbortSignal;
  /** Milliseconds of silence after which a stream counts as unreliable. */
  readonly silence: number;
  /** Wakes the reader. */
  wake: () => void;
  /** Whether a report may be missing, so that the next poll must not be delayed. */
  wantsPoll: boolean;
};

/** Computes the time of the next poll: the earliest allowed, unless a live stream reports regularly and no failure. */
export function pollAt({ isLive, lastWordAt, pollFrom, progress, silence, wantsPoll }: RequestWatch): number {
  if (!isLive || wantsPoll || progress?.failureSince !== undefined) return pollFrom;
  return Math.max(pollFrom, lastWordAt + silence);
}

/** Makes the next poll due immediately, after its pause. */
export function askForPollNow(watch: RequestWatch): void {
  watch.pollFrom = 0;
  watch.wantsPoll = true;
}

/** Schedules the next poll for the earliest allowed time. */
export function askForPoll(watch: RequestWatch): void {
  watch.wantsPoll = true;
  watch.wake();
}

/** Applies a report of a stream. An end only hastens the poll that confirms it; polls as without a stream until then. */
export function hear(watch: RequestWatch, update: StatusUpdate): void {
  const { client, misses, polledAt, pollFrom, progress } = watch;
  const receivedAt = client.now();
  watch.lastWordAt = receivedAt;
  if (ends.includes(update.status)) {
    watch.isLive = false;
    if (misses === 0) watch.pollFrom = Math.min(pollFrom, polledAt + leastPollingInterval);
  } else if (!watch.isOver) advance(watch, reduceStatus(progress, { ...update, receivedAt }));
  watch.wake();
}

/** Polls once and records the result in the watch. Never rejects. */
export async function poll(watch: RequestWatch): Promise<void> {
  const { client, failureGrace, pollingInterval, requestId, signal } = watch;
  watch.isPolling = true;
  watch.wantsPoll = false;
  let pause = pollingInterval;
  try {
    const answer = await client.request({
      operation: "reading the status of a request",
      path: "/intents/status/v3",
      query: { requestId },
      retryCount: 0,
      schema: polledStatusSchema,
      signal,
    });
    watch.misses = 0;
    const receivedAt = client.now();
    watch.lastWordAt = receivedAt;
    const polled = reduceStatus(watch.polled, { ...answer, receivedAt });
    watch.polled = polled;
    watch.isOver = polled !== undefined && isFinalStatus(polled.status);
    advance(watch, watch.isOver ? polled : reduceStatus(watch.progress, { ...answer, receivedAt }));
    // A `failure` is final when a poll still finds it after the grace time.
    watch.isOver ||=
      answer.status === "failure" &&
      watch.progress !== undefined &&
      isSettled(watch.progress, { failureGrace, now: client.now() });
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof BaseError && error.retryable)) watch.fatal = { error };
    watch.lastError = error;
    watch.wantsPoll = true;
    watch.misses += 1;
    pause = pauseAfterMiss(client, { error, misses: watch.misses, pollingInterval });
  }
  watch.isPolling = false;
  watch.polledAt = client.now();
  watch.pollFrom = watch.polledAt + pause;
  watch.wake();
}

function advance(watch: RequestWatch, next: RequestProgress | undefined): void {
  const { changes, progress } = watch;
  if (next === undefined || next === progress) return;
  watch.progress = next;
  if (changes.at(-1)?.status === next.status) changes.pop();
  changes.push(next);
  if (changes.length > mostChanges) changes.shift();
}
