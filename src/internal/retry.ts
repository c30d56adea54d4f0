import { type Backoff, backoffDelay } from "./backoff.ts";
import type { Sleep } from "./sleep.ts";

/** Parameters of {@link retry}. */
export type RetryParameters<Result> = Backoff & {
  /** Makes one attempt; it gets the attempt's number, counted from 1. */
  attempt: (number: number) => Promise<Result>;
  /** The least delay that an error asks for, in milliseconds. */
  minimumDelay: (error: unknown) => number;
  random: () => number;
  /** Attempts after the first one. */
  retryCount: number;
  shouldRetry: (error: unknown) => boolean;
  signal: AbortSignal;
  sleep: Sleep;
  /** Milliseconds left until the whole call must be over. */
  timeLeft: () => number;
};

/**
 * Repeats an attempt while its error says that repeating helps, with full jitter, within a time budget.
 *
 * An error whose delay would reach past the budget is thrown at once: waiting for a deadline that is sure
 * to pass would only hide it.
 *
 * @throws Whatever the last attempt threw.
 *
 * @example
 * await retry({ attempt, baseDelayMs: 250, maxDelayMs: 10_000, minimumDelay: () => 0, random: Math.random,
 *   retryCount: 3, shouldRetry: () => true, signal, sleep, timeLeft: () => 30_000 });
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
