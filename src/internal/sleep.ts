import { toAbortError } from "./toAbortError.ts";

/** Waits. Injected, so that tests run without delays. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/**
 * Waits for some milliseconds, or until the signal fires.
 *
 * @throws AbortedError as soon as `signal` fires, or the signal's reason when that is a Waybill error.
 */
export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(toAbortError(signal, "waiting"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
