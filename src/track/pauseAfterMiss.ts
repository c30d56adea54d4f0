import type { Client } from "../client/internal/Client.ts";
import { HttpError } from "../errors/HttpError.ts";
import { backoffDelay } from "../internal/backoff.ts";

/** Upper bounds of the jitter and of `Retry-After`, in milliseconds. */
const longestJitter = 30_000;
const longestRetryAfter = 60_000;

/**
 * Computes the pause after a failed poll: the interval, `Retry-After` up to a minute, and full jitter.
 *
 * @param misses Consecutive failed polls, including this one.
 * @returns Milliseconds.
 *
 * @example
 * pauseAfterMiss(client, { error, misses: 1, pollingInterval: 1_000 }); // 1000 to 2000
 */
export function pauseAfterMiss(
  { random }: Client,
  { error, misses, pollingInterval }: { error: unknown; misses: number; pollingInterval: number },
): number {
  const asked = error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0;
  const shape = { baseDelayMs: pollingInterval, maxDelayMs: Math.max(longestJitter, pollingInterval) };
  return pollingInterval + Math.min(asked, longestRetryAfter) + backoffDelay(misses, shape, random);
}
