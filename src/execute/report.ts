import type { Hex } from "viem";
import type { Step } from "../schema/quote/step.ts";
import type { ExecutionState, ItemKey } from "./ExecutionState.ts";
import { notePayment } from "./paidOrders.ts";
import type { ItemPhase, Run } from "./Run.ts";

/**
 * Replaces the run's state and reports it. Awaits the report, so that the caller can save the state before the next
 * action.
 *
 * @throws QuoteMismatchError when another run of this process pays the same order; errors of `onProgress`.
 *
 * @example
 * await report(run, { itemIndex: 0, phase: "sending", step, stepIndex: 1, txHash: undefined }, state);
 */
export async function report(
  run: Run,
  event: ItemKey & { phase: ItemPhase; step: Step; txHash: Hex | undefined },
  state: ExecutionState = run.state,
): Promise<void> {
  run.state = state;
  await run.onProgress?.({ ...event, state, type: "item" });
  notePayment(run, event);
}
