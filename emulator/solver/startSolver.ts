import type { Context } from "../Context.ts";
import { advancePermits } from "../permits/advancePermits.ts";
import { advance } from "./advance.ts";
import { scanChain } from "./scanChain.ts";
import { createLooks } from "./settle.ts";

/** The solver at work. */
export type Solver = {
  /** Has it look at the chains now rather than in its next round. */
  poke(): void;
  /** Does something between two rounds: the solver stands still meanwhile, and looks again afterwards. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Lets the round under way finish, then stops. */
  stop(): Promise<void>;
};

/** How often it looks without being told of a block, in milliseconds. */
const roundMs = 500;

/**
 * Starts the solver: rounds of searching the chains for deposits and acting on them, one after the other. A block of any
 * chain starts the next round; so does time, for what failed before and for blocks that nobody announced.
 */
export function startSolver(context: Context): Solver {
  let isStopped = false;
  let isDue = false;
  let wake = () => {};
  const poke = () => {
    // Remembered, because a round may be under way that has already looked at the chain.
    isDue = true;
    wake();
  };
  const pause = () =>
    new Promise<void>((resolve) => {
      if (isDue) return resolve();
      const timer = setTimeout(resolve, roundMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const looks = createLooks();
  const round = async () => {
    await Promise.all([...context.chains.values()].map((chain) => scanChain(chain, context)));
    await advance(context, looks);
    await advancePermits(context);
  };
  const run = async () => {
    while (!isStopped) {
      isDue = false;
      try {
        await inTurn(round);
      } catch (cause) {
        // A chain that is away for a moment must not end the solver: the next round starts from the database again.
        context.log({ cause, level: "error", message: "a round of the solver failed" });
      }
      if (!isStopped) await pause();
    }
  };
  const ignore = [...context.chains.values()].map((chain) => chain.onBlock(poke));
  const finished = run();
  return {
    hold: (work) => inTurn(work).finally(poke),
    poke,
    stop: async () => {
      isStopped = true;
      for (const end of ignore) end();
      wake();
      await finished;
    },
  };
}
