import { TimeoutError } from "../errors/TimeoutError.ts";
import { assertSignal } from "./readParts.ts";
import { toAbortError } from "./toAbortError.ts";

/** Maximum delay of a timer, in milliseconds. A longer one fires at once. */
export const longestTimer = 2_147_483_647;

/** A limit on an operation: the caller's signal or a time, whichever comes first. */
export type Deadline = {
  /** Clears the timer and the listeners. */
  [Symbol.dispose](): void;
  /** Settles as `work` does, or rejects when the limit is reached, even if `work` ignores the signal. */
  race: <Result>(work: Promise<Result>) => Promise<Result>;
  /** Fires when the limit is reached. Pass it to operations that can stop early. */
  signal: AbortSignal;
  /** Milliseconds left. */
  timeLeft: () => number;
};

export type StartDeadlineParameters = {
  now: () => number;
  /** Completes "Timed out … while" in messages. */
  operation: string;
  retryable?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Milliseconds. */
  timeoutMs: number;
};

/**
 * Starts a limit. Dispose of it in a `finally` after the operation.
 *
 * Rejects with AbortedError when the caller's signal fires, and TimeoutError when the time is over.
 */
export function startDeadline(parameters: StartDeadlineParameters): Deadline {
  const { now, operation, retryable, signal, timeoutMs } = parameters;
  assertSignal(signal);
  const controller = new AbortController();
  const startedAt = now();
  const expire = () => controller.abort(new TimeoutError({ operation, retryable, timeoutMs }));
  const abort = () => controller.abort(toAbortError(signal, operation));
  const timer = setTimeout(expire, Math.min(timeoutMs, longestTimer));
  if (signal?.aborted === true) abort();
  else signal?.addEventListener("abort", abort, { once: true });

  const reached = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(controller.signal.reason);
    if (controller.signal.aborted) fail();
    else controller.signal.addEventListener("abort", fail, { once: true });
  });
  // Prevents an unhandled rejection when no race is pending.
  reached.catch(() => undefined);

  return {
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    },
    race: (work) => Promise.race([work, reached]),
    signal: controller.signal,
    timeLeft: () => timeoutMs - (now() - startedAt),
  };
}

/** Settles as `work` does, within a limit of its own; see {@link startDeadline}. */
export async function raceDeadline<Result>(
  parameters: StartDeadlineParameters,
  work: Promise<Result>,
): Promise<Result> {
  const deadline = startDeadline(parameters);
  try {
    return await deadline.race(work);
  } finally {
    deadline[Symbol.dispose]();
  }
}
