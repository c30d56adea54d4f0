import type { Client } from "../client/internal/Client.ts";
import type { HttpError } from "../errors/HttpError.ts";
import { backoffDelay } from "../internal/backoff.ts";

/** Upper bounds of the jitter and of `Retry-After`, in milliseconds. */
const longestJitter = 30_000;
const longestRetryAfter = 60_000;

/**
 * Computes the pause after a failed poll: the interval, `Retry-After` up to a minute, and full jitter.
 *
 * @param misses Consecutive failed polls, including this one.
 * @returns Milliseconds.
 */
export function pauseAfterMiss(
  { random }: Client,
  { error, misses, pollingInterval }: { error: unknown; misses: number; pollingInterval: number },
): number {
  // Only an HttpError has it. Loading the class to ask would cost a bundle of `execute` 300 bytes.
  const { retryAfterMs = 0 } = Object(error) as Partial<HttpError>;
  const shape = { baseDelay: pollingInterval, maxDelay: Math.max(longestJitter, pollingInterval) };
  return pollingInterval + Math.min(retryAfterMs, longestRetryAfter) + backoffDelay(misses, shape, random);
}
