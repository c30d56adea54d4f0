import { setImmediate } from "node:timers/promises";

/** Rounds of one kind of work, started by wake-ups. */
export type WakeLoop = {
  /** Starts a round. During a round it schedules one more: that round may have read the database before the change. */
  wake(): void;
  /** Whether {@link WakeLoop.stop} was called; a long round ends early then. */
  readonly isStopped: boolean;
  /** Lets the round under way finish, then resolves. No later wake-up starts a round. */
  stop(): Promise<void>;
};

export type WakeLoopParameters = {
  readonly round: () => Promise<void>;
  /** Reports a failed round. */
  readonly onFailure: (cause: unknown) => void;
  /** Pause after each round, in milliseconds, so that one round serves many commits. @default 0 */
  readonly restMs?: number | undefined;
  /** Repeats a failed round after so many milliseconds. @default a failed round waits for the next wake-up */
  readonly retryMs?: number | undefined;
};

/** Runs one round at a time and at least one after each wake-up. A failed round does not end the loop. */
export function wakeLoop({ onFailure, restMs = 0, retryMs, round }: WakeLoopParameters): WakeLoop {
  let isStale = false;
  let isStopped = false;
  let running: Promise<void> | undefined;
  const run = async () => {
    // The round runs after the work that woke the loop, which may be about to send a payment.
    await setImmediate();
    while (isStale && !isStopped) {
      isStale = false;
      let pauseMs = restMs;
      try {
        await round();
      } catch (cause) {
        onFailure(cause);
        isStale ||= retryMs !== undefined;
        pauseMs = retryMs ?? restMs;
      }
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    // This runs in the same turn as the check of `isStale`, so that no wake-up between them is lost.
    running = undefined;
  };
  return {
    get isStopped() {
      return isStopped;
    },
    stop: async () => {
      isStopped = true;
      await running;
    },
    wake: () => {
      isStale = true;
      if (!isStopped) running ??= run();
    },
  };
}
