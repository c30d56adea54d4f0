import { getStatus } from "../client/getStatus.ts";
import type { Client } from "../client/internal/Client.ts";
import { BaseError } from "../errors/BaseError.ts";
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
const badEnds: readonly string[] = ["failure", "refund", "fallback"];

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

/**
 * Applies a report of a stream. Takes a bad end only from a poll, which has the reason; polls as without a stream until
 * then.
 */
export function hear(watch: RequestWatch, update: StatusUpdate): void {
  watch.lastWordAt = watch.client.now();
  if (badEnds.includes(update.status)) watch.isLive = false;
  else take(watch, update);
  watch.wake();
}

/** Polls once and records the result in the watch. Never rejects. */
export async function poll(watch: RequestWatch): Promise<void> {
  const { client, failureGrace, pollingInterval, requestId, signal } = watch;
  watch.isPolling = true;
  watch.wantsPoll = false;
  let pause = pollingInterval;
  try {
    const answer = await getStatus(client, { requestId, retryCount: 0, signal });
    watch.misses = 0;
    watch.lastWordAt = client.now();
    take(watch, answer);
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
  watch.pollFrom = client.now() + pause;
  watch.wake();
}

function take(watch: RequestWatch, update: StatusUpdate): void {
  if (watch.isOver) return;
  const { changes, client, progress } = watch;
  const next = reduceStatus(progress, { ...update, receivedAt: client.now() });
  if (next === undefined || next === progress) return;
  watch.progress = next;
  watch.isOver = isFinalStatus(next.status);
  if (changes.at(-1)?.status === next.status) changes.pop();
  changes.push(next);
  if (changes.length > mostChanges) changes.shift();
}
