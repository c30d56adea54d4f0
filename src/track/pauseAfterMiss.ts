import type { Client } from "../client/internal/Client.ts";
import { HttpError } from "../errors/HttpError.ts";
import { backoffDelay } from "../internal/backoff.ts";

/** Upper bounds, in milliseconds: of the jitter, and of what `Retry-After` may ask. */
const longestJitter = 30_000;
const longestRetryAfter = 60_000;

/**
 * How long to wait after a poll that failed: the usual interval, what `Retry-After` asks up to a minute, and full jitter.
 *
 * @param misses Polls that failed one after the other, this one included.
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
