import type { Transaction } from "kysely";
import type { Context } from "../../context/Context.ts";
import { accrueAppFees } from "../../requests/accrueAppFees.ts";
import { advanceDebt } from "../../requests/advanceDebt.ts";
import { statusOf } from "../../requests/findRequest.ts";
import type { Tables } from "../../store/tables.ts";
import { refundExcess } from "../deposits/refundExcess.ts";

/**
 * Counts the refunded deposit of a request toward the advance again, as far as it is owed: its refund is cancelled, because the
 * fill was mined. A child request refunds the excess, once the cancel is mined.
 */
export async function countPartAgain(
  transaction: Transaction<Tables>,
  advance: { readonly id: string; readonly request_id: string },
  context: Context,
): Promise<void> {
  const part = await transaction
    .selectFrom("deposits")
    .selectAll()
    .where("covers", "=", advance.id)
    .where("request_id", "=", advance.request_id)
    .where("source", "=", "payment")
    .where("outcome", "in", ["refused", "abandoned"])
    .executeTakeFirst();
  if (part === undefined) return;
  const owed = (await advanceDebt(transaction, advance.request_id)) ?? 0n;
  const excess = BigInt(part.amount) - owed;
  const amount = excess > 0n ? owed.toString() : part.amount;
  const counted = { amount, outcome: "netted", reason: null } as const;
  await transaction
    .updateTable("deposits")
    .set({ ...counted, claimed_until: null, not_before: null, todo: null })
    .where("id", "=", part.id)
    .execute();
  if (excess > 0n) {
    const request = await transaction
      .selectFrom("requests")
      .select(["id", "user", "refund_to", "referrer", "api_key_id", "origin_chain_id"])
      .where("id", "=", advance.request_id)
      .executeTakeFirstOrThrow();
    await refundExcess(transaction, part, excess, request, context);
  }
  // Otherwise the success to come earns them.
  const isSettled = excess >= 0n && (await statusOf(transaction, advance.request_id)) === "success";
  if (isSettled) await accrueAppFees(transaction, advance.request_id, context.now());
}
