import type { Transaction } from "kysely";
import type { Context } from "../../context/Context.ts";
import { applyTrigger, type Change } from "../../requests/applyTrigger.ts";
import type { DepositRow, Tables } from "../../store/tables.ts";
import { releaseAdvance } from "./releaseAdvance.ts";

/** Whether a row is an obligation without a deposit: nothing can be refunded for it. */
export function isObligation({ source }: Pick<DepositRow, "source">): boolean {
  return source === "claim" || source === "advance";
}

/**
 * Ends an obligation that cannot be paid, in the caller's transaction. A claim fails, which returns its amount to the
 * balance. A fast fill is released: its request waits for the deposit again.
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
