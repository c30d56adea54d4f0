import type { Transaction } from "kysely";
import type { Tables, TransactionRow } from "../store/tables.ts";
import { applyTrigger, type Change } from "./applyTrigger.ts";
import { statusOf } from "./findRequest.ts";
import { nextStatus, type PaymentOutcome, type Trigger, triggerTowards } from "./transitions.ts";

/**
 * Moves a request from any status that a payment can change to the outcome that a chain decided, one transition at a
 * time, in the caller's transaction. A request that already has the outcome stays unchanged.
 */
export async function forceOutcome(
  transaction: Transaction<Tables>,
  requestId: string,
  outcome: PaymentOutcome,
  change: Omit<Change, "trigger">,
  at: number,
): Promise<void> {
  for (;;) {
    const status = await statusOf(transaction, requestId);
    if (status === outcome) return;
    const trigger = triggerTowards(status, outcome);
    if (trigger === undefined) throw new Error(`${requestId} cannot become ${outcome}: it is ${status}`);
    const isLast = nextStatus(status, trigger) === outcome;
    const step = isLast ? change : { txHash: change.txHash };
    await applyTrigger(transaction, requestId, { ...reasonOf(trigger), ...step, trigger }, at);
  }
}

/** A fill under way has no fail reason; one that failed before a refund was paid had reverted. */
function reasonOf(trigger: Trigger): Pick<Change, "failReason"> {
  if (trigger === "fill-submitted") return { failReason: null };
  return trigger === "fill-failed" ? { failReason: "TRANSACTION_REVERTED" } : {};
}

/** Fields that a mined transaction adds to its request. */
export type Note = Pick<Change, "details" | "refundFailReason">;

/** The note that a transaction was stored with. */
export function noteOf({
  details,
  refund_fail_reason,
}: Pick<TransactionRow, "details" | "refund_fail_reason">): Note {
  return { details: details ?? undefined, refundFailReason: refund_fail_reason ?? undefined };
}
