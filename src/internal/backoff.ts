/** Bounds of an exponential back-off. */
export type Backoff = {
  /** Upper bound of the first delay, in milliseconds; doubles with every attempt. */
  baseDelay: number;
  /** Upper bound of every delay, in milliseconds. */
  maxDelay: number;
};

/**
 * Computes the delay before the next attempt with full jitter: between zero and a bound that doubles each time. Clients
 * that failed together then do not retry together.
 *
 * @param attempt Number of attempts so far, from 1.
 * @param random A number in `[0, 1)`.
 */
export function backoffDelay(
  attempt: number,
  { baseDelay, maxDelay }: Backoff,
  random: () => number,
): number {
  const bound = Math.min(maxDelay, baseDelay * 2 ** Math.min(attempt - 1, 30));
  return Math.floor(random() * bound);
}
