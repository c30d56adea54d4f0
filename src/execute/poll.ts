import type { Hex } from "viem";
import { PaymentUnsettledError } from "../errors/PaymentUnsettledError.ts";
import { TimeoutError } from "../errors/TimeoutError.ts";
import { raceDeadline, startDeadline } from "../internal/deadline.ts";
import type { Run } from "./Run.ts";

type PollParameters<Result> = {
  /** Completes "Timed out … while" in messages. */
  operation: string;
  /** Reads once; `undefined` means not yet. The signal fires when the wait ends. */
  read: (signal: AbortSignal) => Promise<Result | undefined>;
  /** What was submitted, so that its outcome is open at the time limit. */
  submitted?: { stepId: string; txHash?: Hex };
};

/**
 * Limits the reads before a wallet is asked. A node that never answers would hold the run, and the payment that it claimed.
 *
 * @throws TimeoutError, AbortedError, errors of the reads.
 */
export function readInTime<Result>(run: Run, operation: string, reads: Promise<Result>): Promise<Result> {
  const { client, signal, timeout } = run;
  return raceDeadline({ now: client.now, operation, signal, timeoutMs: timeout }, reads);
}

/**
 * Reads a chain until there is a result. Nodes fail temporarily, so an error counts as "not yet".
 *
 * @throws TimeoutError with the last error as its cause, within PaymentUnsettledError if something was submitted;
 * AbortedError.
 */
export async function poll<Result>(run: Run, parameters: PollParameters<Result>): Promise<Result> {
  const { operation, read, submitted } = parameters;
  const { client, pollingInterval, signal, timeout } = run;
  const deadline = startDeadline({ now: client.now, operation, signal, timeoutMs: timeout });
  let lastError: unknown;
  try {
    while (deadline.timeLeft() > 0) {
      deadline.signal.throwIfAborted();
      try {
        const result = await deadline.race(read(deadline.signal));
        if (result !== undefined) return result;
      } catch (error) {
        deadline.signal.throwIfAborted();
        lastError = error;
      }
      await deadline.race(client.sleep(pollingInterval, deadline.signal));
    }
    throw new TimeoutError({ operation, timeoutMs: timeout });
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    const cause = new TimeoutError({ cause: lastError, operation, timeoutMs: timeout });
    throw submitted === undefined ? cause : new PaymentUnsettledError({ cause, ...submitted });
  } finally {
    deadline[Symbol.dispose]();
  }
}
