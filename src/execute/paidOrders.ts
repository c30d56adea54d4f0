import type { Hex } from "viem";
import { QuoteMismatchError } from "../errors/QuoteMismatchError.ts";
import type { Step } from "../schema/quote/step.ts";
import type { ItemPhase, Run } from "./Run.ts";
import { readApproval } from "./waitForAllowance.ts";

/** Ids of the orders that this process pays or has paid. A solver fills an order once, even if it is paid twice. */
const paidOrders = new Map<string, { deadline: number; requestId: string }>();

/**
 * Rejects an order that this process already pays. A run with a saved state of the same request may continue: the state
 * records whether the payment was sent.
 *
 * @throws QuoteMismatchError
 *
 * @example
 * assertUnpaid(run);
 */
export function assertUnpaid({ isResumed, order, state }: Run): void {
  if (order === undefined) return;
  const paid = paidOrders.get(order.id);
  if (paid === undefined || (isResumed && paid.requestId === state.requestId)) return;
  const path = "protocol.v2.orderId";
  throw new QuoteMismatchError([
    { actual: order.id, code: "QUOTE_ORDER_ID", expected: "an unpaid order", path },
  ]);
}

/**
 * Records the run's payment when it begins, and forgets it when the wallet certainly sent nothing. Called after the event was
 * reported: a run that ends in a failed report has paid nothing.
 *
 * @throws QuoteMismatchError when another run has begun to pay the order.
 *
 * @example
 * notePayment(run, { itemIndex: 0, phase: "sending", step });
 */
export function notePayment(
  run: Run,
  { itemIndex, phase, step }: { itemIndex: number; phase: ItemPhase; step: Step },
): void {
  const { client, order, state } = run;
  if (order === undefined || !isPayment(step, itemIndex)) return;
  if (phase === "notDone") paidOrders.delete(order.id);
  if (phase !== "sending" && phase !== "submitting") return;
  assertUnpaid(run);
  // The proof refuses an order after its deadline, by the same clock: its entry is no longer needed.
  for (const [id, { deadline }] of paidOrders) if (deadline <= client.now()) paidOrders.delete(id);
  paidOrders.set(order.id, { deadline: order.deadline, requestId: state.requestId });
}

/** Whether an item moves tokens or native currency. Approvals and ERC-2612 permits do not. */
function isPayment(step: Step, itemIndex: number): boolean {
  const data = step.items[itemIndex]?.data as { data?: Hex; sign?: { primaryType?: string } } | undefined;
  return readApproval(data?.data) === undefined && data?.sign?.primaryType !== "Permit";
}
