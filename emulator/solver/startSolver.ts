import type { Context } from "../context/Context.ts";
import { openChainLanes } from "./chainLanes.ts";
import { advancePermits } from "./permits/advancePermits.ts";
import { refuseExpired, runSolverRound } from "./runSolverRound.ts";
import { scanChain } from "./scanChain.ts";
import { createReceiptPolls } from "./settlement/settle.ts";
import { settleFailedCancels } from "./settlement/settleFailedCancels.ts";

/** The solver at work. */
export type Solver = {
  /** Has it look at the chains now rather than in its next round. */
  poke(): void;
  /** Does something between two rounds: the solver stands still meanwhile, and polls again afterwards. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Lets the round under way finish, then stops: a node that hangs delays it by the time limits of its calls. */
  stop(): Promise<void>;
};

/** how often it looks without being told of a block, in milliseconds. */
const roundMs = 500;

/**
 * Starts the solver: rounds of searching the chains for deposits and acting on them, one after the other. A block of any
 * chain starts the next round; so does time, for what failed before and for blocks that nobody announced. A chain whose node
 * does not answer is left out until it does.
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
  const lanes = openChainLanes(context, poke);
  const polls = new Map([...context.chains.keys()].map((id) => [id, createReceiptPolls()]));
  const round = async () => {
    await lanes.search((chain) => scanChain(chain, context));
    // Before anything is sent: what one chain has mined may cancel what was signed for another.
    await lanes.work((chain) => settleFailedCancels(chain, context));
    await lanes.work(async (chain) => {
      const chainPolls = polls.get(chain.definition.id) ?? createReceiptPolls();
      await runSolverRound(chain, { ...context, isAway: lanes.isAway, onRefundDue: poke }, chainPolls);
      await advancePermits(chain, context);
    });
    await refuseExpired(lanes.deserted(), { ...context, onRefundDue: poke });
  };
  const run = async () => {
    while (!isStopped) {
      isDue = false;
      try {
        await inTurn(round);
      } catch (cause) {
        // A database that is away for a moment must not end the solver: the next round starts from it again.
        context.log({ cause, level: "error", message: "a round of the solver failed" });
      }
      if (!isStopped) await pause();
    }
  };
  const ignore = [...context.chains.values()].map((chain) => chain.onBlock(poke));
  const finished = run();
  return {
    hold: (work) => inTurn(() => lanes.idle().then(work)).finally(poke),
    poke,
    stop: async () => {
      isStopped = true;
      for (const end of ignore) end();
      wake();
      await finished;
      await lanes.idle();
    },
  };
}
