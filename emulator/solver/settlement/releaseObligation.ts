import type { Transaction } from "kysely";
import type { Context } from "../../context/Context.ts";
import { applyTrigger, type Change } from "../../requests/applyTrigger.ts";
import type { DepositRow, Tables } from "../../store/tables.ts";
import { endAdvance } from "../obligations/payBackAdvance.ts";

/** Whether a row is an obligation without a deposit: nothing can be refunded for it. */
export function isObligation({ source }: Pick<DepositRow, "source">): boolean {
  return source === "claim" || source === "advance";
}

/**
 * Ends an obligation that cannot be paid, in the caller's transaction. A claim fails, which returns its amount to the
 * balance. A fast fill is released.
 */
export async function releaseObligation(
  transaction: Transaction<Tables>,
  { id, request_id, source }: Pick<DepositRow, "id" | "request_id" | "source">,
  { details, ...change }: Omit<Change, "trigger">,
  context: Context,
): Promise<void> {
  if (request_id === null) throw new Error(`${id} has no request`);
  if (source === "advance")
    return releaseAdvance(transaction, { id, request_id }, { details, ...change }, context);
  await transaction
    .updateTable("deposits")
    .set({
      claimed_until: null,
      not_before: null,
      outcome: "released",
      reason: change.failReason ?? null,
      todo: null,
    })
    .where("id", "=", id)
    .execute();
  // Clients of signatures treat a failure as final only if its details begin like this.
  const failed = { ...change, details: `Transaction failed: ${details ?? "the payout was refused"}` };
  await applyTrigger(transaction, request_id, { ...failed, trigger: "claim-failed" }, context.now());
}

/** Releases an advance: its request refunds the deposit that covers it, or waits for one again. */
async function releaseAdvance(
  transaction: Transaction<Tables>,
  advance: { readonly id: string; readonly request_id: string },
  change: Omit<Change, "trigger">,
  context: Context,
): Promise<void> {
  const { id, request_id } = advance;
  const { failReason = "TRANSACTION_REVERTED" } = change;
  await endAdvance(transaction, advance);
  const cover = await transaction
    .updateTable("deposits")
    .set({ covers: null, outcome: "refused", reason: failReason, todo: "refund" })
    .where("covers", "=", id)
    .where("outcome", "=", "netted")
    .returning("block_number")
    .executeTakeFirst();
  const { details, txHash } = change;
  const next: Change = cover
    ? { ...change, failReason, originBlock: cover.block_number, trigger: "fill-failed" }
    : { details, trigger: "fast-fill-released", txHash };
  return applyTrigger(transaction, request_id, next, context.now());
}
