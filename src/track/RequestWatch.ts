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

/** Most changes kept for a slow reader; beyond that the oldest are dropped. */
const mostChanges = 32;
const badEnds: readonly string[] = ["failure", "refund", "fallback"];

/** One watched request: its progress, the changes not yet reported, and when to poll. */
export type RequestWatch = {
  /** What the reader has not taken yet. */
  readonly changes: RequestProgress[];
  readonly client: Client;
  /** Milliseconds for which a `failure` is not believed. */
  readonly failureGrace: number;
  /** An error that will not pass by itself. */
  fatal: { readonly error: unknown } | undefined;
  /** Whether a stream tells of the request now. */
  isLive: boolean;
  /** Whether nothing is to be expected any more. */
  isOver: boolean;
  isPolling: boolean;
  lastError: unknown;
  /** When there was a word of the request, from anywhere. */
  lastWordAt: number;
  /** Polls that failed since the last one that did not. */
  misses: number;
  /** No poll before this time. */
  pollFrom: number;
  /** Milliseconds. */
  readonly pollingInterval: number;
  progress: RequestProgress | undefined;
  readonly requestId: string;
  /** Fires when the watch ends. */
  readonly signal: AbortSignal;
  /** Milliseconds without a word after which a stream is not relied on. */
  readonly silence: number;
  /** Wakes the reader. */
  wake: () => void;
  /** Whether something may have been missed, so that the next poll must not be put off. */
  wantsPoll: boolean;
};

/** When to poll next: as soon as it is allowed, unless a stream is live, says something now and then, and of no failure. */
export function pollAt({ isLive, lastWordAt, pollFrom, progress, silence, wantsPoll }: RequestWatch): number {
  if (!isLive || wantsPoll || progress?.failureSince !== undefined) return pollFrom;
  return Math.max(pollFrom, lastWordAt + silence);
}

/** Makes the next poll due immediately, because the pause before it was slept through. */
export function askForPollNow(watch: RequestWatch): void {
  watch.pollFrom = 0;
  watch.wantsPoll = true;
}

/** Requests the next poll as soon as it is allowed. */
export function askForPoll(watch: RequestWatch): void {
  watch.wantsPoll = true;
  watch.wake();
}

/**
 * Takes what a stream says. A bad end is taken from a poll only, which has the reason: until one finds it, polls are
 * made as if there were no stream.
 */
export function hear(watch: RequestWatch, update: StatusUpdate): void {
  watch.lastWordAt = watch.client.now();
  if (badEnds.includes(update.status)) watch.isLive = false;
  else take(watch, update);
  watch.wake();
}

/** Polls once; what comes of it shows in the watch. Never rejects. */
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
    // A `failure` is believed when a poll still finds it after the grace time.
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
