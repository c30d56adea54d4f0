import type { Hex } from "viem";
import { PaymentUnsettledError } from "../errors/PaymentUnsettledError.ts";
import { TimeoutError } from "../errors/TimeoutError.ts";
import { raceDeadline, startDeadline } from "../internal/deadline.ts";
import type { Run } from "./Run.ts";

/** Limits the reads before a wallet is asked. A silent node would hold the run, and the payment that it claimed. */
export function readInTime<Result>(
  { client, signal, timeout }: Pick<Run, "client" | "signal" | "timeout">,
  operation: string,
  reads: Promise<Result>,
) {
  return raceDeadline({ now: client.now, operation, signal, timeoutMs: timeout }, reads);
}

/**
 * Reads a chain until there is a result. Nodes fail temporarily, so an error counts as "not yet", like `undefined`.
 * `operation` completes "Timed out … while"; the outcome of what was `submitted` is open at the time limit.
 */
export async function poll<Result>(
  run: Run,
  operation: string,
  read: (signal: AbortSignal) => Promise<Result | undefined>,
  submitted?: { stepId: string; txHash?: Hex },
): Promise<Result> {
  const { client, pollingInterval, signal, timeout } = run;
  const deadline = startDeadline({ now: client.now, operation, signal, timeoutMs: timeout });
  let cause: unknown;
  try {
    while (deadline.timeLeft() > 0) {
      deadline.signal.throwIfAborted();
      try {
        const result = await deadline.race(read(deadline.signal));
        if (result !== undefined) return result;
      } catch (error) {
        deadline.signal.throwIfAborted();
        cause = error;
      }
      await deadline.race(client.sleep(pollingInterval, deadline.signal));
    }
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
  } finally {
    deadline[Symbol.dispose]();
  }
  const late = new TimeoutError({ cause, operation, timeoutMs: timeout });
  throw submitted === undefined ? late : new PaymentUnsettledError({ cause: late, ...submitted });
}
