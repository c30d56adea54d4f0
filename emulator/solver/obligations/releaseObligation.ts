import type { Transaction } from "kysely";
import { applyTrigger, type Change } from "../../requests/applyTrigger.ts";
import type { DepositRow, Tables } from "../../store/tables.ts";
import { endAdvance, handOver, nettedDeposit } from "./payBackAdvance.ts";

/** Whether a row is an obligation without a deposit: nothing can be refunded for it. */
export function isObligation({ source }: Pick<DepositRow, "source">): boolean {
  return source !== "payment";
}

/**
 * Ends an obligation that cannot be paid, in the caller's transaction. A claim fails, which returns its amount to the
 * balance. A fast fill is released: its request waits for the deposit again.
 */
export async function releaseObligation(
  transaction: Transaction<Tables>,
  { id, request_id, source }: Pick<DepositRow, "id" | "request_id" | "source">,
  { details, ...change }: Omit<Change, "trigger">,
  at: number,
): Promise<void> {
  if (request_id === null) throw new Error(`${id} has no request`);
  if (source === "advance")
    return releaseAdvance(transaction, { id, request_id }, { details, ...change }, at);
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
  await applyTrigger(transaction, request_id, { ...failed, trigger: "claim-failed" }, at);
}

async function releaseAdvance(
  transaction: Transaction<Tables>,
  advance: { readonly id: string; readonly request_id: string },
  change: Omit<Change, "trigger">,
  at: number,
): Promise<void> {
  const { id, request_id } = advance;
  await endAdvance(transaction, advance, "released");
  const part = await nettedDeposit(transaction, id);
  if (part === undefined) {
    const { details, txHash } = change;
    return applyTrigger(transaction, request_id, { details, trigger: "fast-fill-released", txHash }, at);
  }
  // Nothing was advanced after all: the part that was paid back is refunded.
  await handOver(transaction, id, part.id);
  const failReason = "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL" as const;
  await transaction
    .updateTable("deposits")
    .set({ covers: null, outcome: "refused", reason: failReason, todo: "refund" })
    .where("id", "=", part.id)
    .execute();
  await applyTrigger(transaction, request_id, { ...change, failReason, trigger: "fill-failed" }, at);
}
