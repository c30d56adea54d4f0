import type { Transaction } from "kysely";
import { applyTrigger } from "../../requests/applyTrigger.ts";
import { statusOf } from "../../requests/findRequest.ts";
import { forceOutcome } from "../../requests/forceOutcome.ts";
import type { DepositRow, Tables } from "../../store/tables.ts";

/**
 * Returns a payment toward an advance to the request that refunded it, in the caller's transaction, if a later request was to
 * refund it: the fast fill failed again after the first refund was cancelled, and that refund was mined despite its cancel. The
 * later request fails without a refund.
 */
export async function endSecondRefund(
  transaction: Transaction<Tables>,
  { covers, id, request_id: second, tx_hash: txHash }: DepositRow,
  refundedBy: string,
  at: number,
): Promise<void> {
  if (covers === null || second === null || second === refundedBy) return;
  await transaction.updateTable("deposits").set({ request_id: refundedBy }).where("id", "=", id).execute();
  if ((await statusOf(transaction, second)) === "failure") return;
  const details = `The payment was refunded by request ${refundedBy}`;
  await forceOutcome(transaction, second, "pending", { txHash }, at);
  await applyTrigger(transaction, second, { details, trigger: "refund-failed" }, at);
}
