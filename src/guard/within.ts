import type { Sleep } from "../internal/sleep.ts";

/**
 * Awaits a promise for some milliseconds at most.
 *
 * @throws Error when the time is over; the promise's own error.
 */
export async function within<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  sleep: Sleep,
): Promise<Value> {
  const stop = new AbortController();
  const late = sleep(milliseconds, stop.signal).then(() => {
    throw new Error(`No answer within ${milliseconds} ms`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    stop.abort();
    late.catch(() => {});
  }
}
