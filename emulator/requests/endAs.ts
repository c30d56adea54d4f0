import type { Transaction } from "kysely";
import type { RequestStatus } from "../../src/schema/requestStatus.ts";
import type { Tables } from "../store/tables.ts";
import { applyTrigger, type Change } from "./applyTrigger.ts";
import { statusOf } from "./statusOf.ts";
import type { Trigger } from "./transitions.ts";

type Step = Readonly<Partial<Record<RequestStatus, Trigger>>>;

/** The way of a request from wherever it is to an end that a chain has decided. */
const ways: Readonly<Record<"success" | "refund", Step>> = {
  refund: {
    failure: "refund-begun",
    pending: "refund-succeeded",
    submitted: "fill-failed",
    success: "fill-reorged",
  },
  success: {
    failure: "refund-begun",
    pending: "fill-submitted",
    refund: "refund-reorged",
    submitted: "fill-succeeded",
  },
};

/**
 * Takes a request to `success` or `refund`, whatever it was told before, by the transitions that there are, in the caller's
 * transaction.
 *
 * @param change Of the last step; the ones before tell of the transaction alone.
 */
export async function endAs(
  transaction: Transaction<Tables>,
  requestId: string,
  end: "success" | "refund",
  change: Omit<Change, "trigger">,
  at: number,
): Promise<void> {
  for (;;) {
    const status = await statusOf(transaction, requestId);
    if (status === end) return;
    const trigger = ways[end][status];
    if (trigger === undefined) throw new Error(`${requestId} cannot end as ${end}: it is ${status}`);
    const { txHash } = change;
    const isLast = trigger === "fill-succeeded" || trigger === "refund-succeeded";
    const step: Change = isLast ? { ...change, trigger } : { trigger, txHash, ...reasonOf(trigger) };
    await applyTrigger(transaction, requestId, step, at);
  }
}

/** Why the money goes back: the fill had reverted before it was paid, or it would not have been refunded. */
function reasonOf(trigger: Trigger): Pick<Change, "failReason"> {
  if (trigger === "fill-submitted") return { failReason: null };
  return trigger === "fill-failed" ? { failReason: "TRANSACTION_REVERTED" } : {};
}
