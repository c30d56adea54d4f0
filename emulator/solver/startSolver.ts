import type { Context } from "../Context.ts";
import { advance } from "./advance.ts";
import { scanChain } from "./scanChain.ts";

/** The solver at work. */
export type Solver = {
  /** Has it look at the chains now rather than in its next round. */
  poke(): void;
  /** Lets the round under way finish, then stops. */
  stop(): Promise<void>;
};

/** How often the chains are looked at, in milliseconds. */
const roundMs = 50;

/** Starts the solver: rounds of searching the chains for deposits and acting on them, one after the other. */
export function startSolver(context: Context): Solver {
  let isStopped = false;
  let wake = () => {};
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, roundMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!isStopped) {
      try {
        for (const chain of context.chains.values()) await scanChain(chain, context);
        await advance(context);
      } catch (cause) {
        // A chain that is away for a moment must not end the solver: the next round starts from the database again.
        context.log({ cause, level: "error", message: "a round of the solver failed" });
      }
      if (!isStopped) await pause();
    }
  };
  const finished = run();
  return {
    poke: () => wake(),
    stop: async () => {
      isStopped = true;
      wake();
      await finished;
    },
  };
}
