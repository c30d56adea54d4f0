import type { Transaction } from "kysely";
import type { Context } from "../../context/Context.ts";
import { accrueAppFees } from "../../requests/accrueAppFees.ts";
import { advanceDebt } from "../../requests/advanceDebt.ts";
import { applyTrigger } from "../../requests/applyTrigger.ts";
import { statusOf } from "../../requests/findRequest.ts";
import { forceOutcome } from "../../requests/forceOutcome.ts";
import { isPostgres } from "../../store/dialect/columnTypes.ts";
import type { DepositRow, Tables, TransactionRow } from "../../store/tables.ts";
import { pairedPayment } from "../obligations/pairedPayment.ts";
import { cancel } from "./cancel.ts";

const details = "The payment counts toward the fast fill, which was paid after all";

/**
 * Recalls the refunds by child requests of what was paid toward an advance, in the caller's transaction: its fill was paid
 * after all. A payment that is not refunded yet counts again, as far as the advance is owed; its child request fails without
 * a refund. The others are refunded.
 */
export async function recallPartRefunds(
  transaction: Transaction<Tables>,
  { id, request_id }: { readonly id: string; readonly request_id: string },
  context: Context,
): Promise<void> {
  const parts = await transaction
    .selectFrom("deposits")
    .selectAll()
    .where("covers", "=", id)
    .where("source", "=", "payment")
    .where("outcome", "in", ["refused", "abandoned"])
    .where("request_id", "!=", request_id)
    .orderBy("at")
    .orderBy("id")
    // Locked, so that no process signs a refund meanwhile.
    .$if(isPostgres(transaction), (query) => query.forUpdate())
    .execute();
  let owed = (await advanceDebt(transaction, request_id)) ?? 0n;
  const before = owed;
  for (const part of parts) {
    const refund = await pairedPayment(transaction, part, "refund");
    if (refund?.state === "mined") continue;
    if (BigInt(part.amount) > owed) {
      await leavePart(transaction, part, refund, context.now());
      continue;
    }
    if (refund?.state === "signed") await cancel(transaction, refund, context);
    await countPart(transaction, part, request_id, context.now());
    owed -= BigInt(part.amount);
  }
  const isSettled = before > 0n && owed === 0n && (await statusOf(transaction, request_id)) === "success";
  if (isSettled) await accrueAppFees(transaction, request_id, context.now());
}

async function countPart(
  transaction: Transaction<Tables>,
  part: DepositRow,
  requestId: string,
  at: number,
): Promise<void> {
  const counted = { outcome: "netted", reason: null, request_id: requestId } as const;
  await transaction
    .updateTable("deposits")
    .set({ ...counted, claimed_until: null, not_before: null, todo: null })
    .where("id", "=", part.id)
    .execute();
  if (part.request_id === null) return;
  // A child that failed already stays failed.
  if ((await statusOf(transaction, part.request_id)) === "failure") return;
  await forceOutcome(transaction, part.request_id, "pending", {}, at);
  await applyTrigger(transaction, part.request_id, { details, trigger: "refund-failed" }, at);
}

/** Leaves a payment to its child request: its refund no longer waits for the fill of the advance. */
async function leavePart(
  transaction: Transaction<Tables>,
  { id, request_id }: DepositRow,
  refund: TransactionRow | undefined,
  at: number,
): Promise<void> {
  await transaction.updateTable("deposits").set({ covers: null }).where("id", "=", id).execute();
  if (refund?.state !== "signed" || request_id === null) return;
  // A reorg may have removed the refund: it is sent again.
  await forceOutcome(transaction, request_id, "pending", { txHash: refund.hash }, at);
}
