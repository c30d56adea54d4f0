import type { Transaction } from "kysely";
import type { Context } from "../../context/Context.ts";
import { applyTrigger, type Change } from "../../requests/applyTrigger.ts";
import type { DepositRow, Tables } from "../../store/tables.ts";
import { moveDeposit } from "./depositRows.ts";
import { endAdvance } from "./payBackAdvance.ts";

type Obligation = Pick<DepositRow, "id" | "request_id" | "source" | "state">;

/**
 * Ends an obligation that cannot be paid, in the caller's transaction. A claim fails, which returns its amount to the
 * balance. A fast fill is released.
 */
export async function releaseObligation(
  transaction: Transaction<Tables>,
  obligation: Obligation,
  { details, ...change }: Omit<Change, "trigger">,
  context: Context,
): Promise<void> {
  if (obligation.source === "advance")
    return releaseAdvance(transaction, obligation, { details, ...change }, context);
  await moveDeposit(transaction, obligation, "released");
  // Clients of signatures treat a failure as final only if its details begin like this.
  const failed = { ...change, details: `Transaction failed: ${details ?? "the payout was refused"}` };
  const next = { ...failed, trigger: "claim-failed" } as const;
  await applyTrigger(transaction, obligation.request_id, next, context.now());
}

/** Releases an advance: its request refunds the deposit that covers it, or waits for one again. */
async function releaseAdvance(
  transaction: Transaction<Tables>,
  advance: Obligation,
  change: Omit<Change, "trigger">,
  context: Context,
): Promise<void> {
  const { request_id } = advance;
  const { details, failReason = "TRANSACTION_REVERTED", txHash } = change;
  await endAdvance(transaction, advance);
  const cover = await transaction
    .selectFrom("deposits")
    .select(["block_number", "id", "state"])
    .where("request_id", "=", request_id)
    .where("state", "=", "netted")
    .executeTakeFirst();
  if (cover !== undefined) await moveDeposit(transaction, cover, "advance-failed", failReason);
  const next: Change = cover
    ? { ...change, failReason, originBlock: cover.block_number, trigger: "fill-failed" }
    : { details, trigger: "fast-fill-released", txHash };
  return applyTrigger(transaction, request_id, next, context.now());
}
