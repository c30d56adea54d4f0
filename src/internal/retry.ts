import { type Backoff, backoffDelay } from "./backoff.ts";
import type { Sleep } from "./sleep.ts";

export type RetryParameters<Result> = Backoff & {
  /** Makes an attempt; receives its number, from 1. */
  attempt: (number: number) => Promise<Result>;
  /** Minimum delay by an error's Retry-After, in milliseconds. */
  minimumDelay: (error: unknown) => number;
  random: () => number;
  /** Attempts after the first one. */
  retryCount: number;
  shouldRetry: (error: unknown) => boolean;
  signal: AbortSignal;
  sleep: Sleep;
  /** Milliseconds left for the whole call. */
  timeLeft: () => number;
};

/**
 * Retries while the error is retryable, with full jitter, within a time budget.
 *
 * Throws at once when the delay exceeds the budget: waiting would only hide the error.
 *
 * @throws The error of the last attempt.
 */
export async function retry<Result>(parameters: RetryParameters<Result>): Promise<Result> {
  const { attempt, minimumDelay, random, retryCount, shouldRetry, signal, sleep, timeLeft } = parameters;
  for (let number = 1; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      if (number > retryCount || !shouldRetry(error)) throw error;
      const delay = minimumDelay(error) + backoffDelay(number, parameters, random);
      if (delay >= timeLeft()) throw error;
      await sleep(delay, signal);
    }
  }
}
