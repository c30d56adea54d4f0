import type { Transaction } from "kysely";
import { applyTrigger } from "../../../requests/applyTrigger.ts";
import type { Tables } from "../../../store/tables.ts";
import type { Signed } from "../../ledgers/SolverLedger.ts";
import type { WorkPlan } from "./WorkPlan.ts";

/** A plan that sends a payment. */
export type Sending = Extract<WorkPlan, { next: "send" }>;

/**
 * Stores a signed payment before it is sent, in the caller's transaction, and moves its request: after a crash the same
 * bytes are sent.
 */
export async function storeSigned(
  transaction: Transaction<Tables>,
  { kind, ledger, note, work }: Sending,
  signed: Signed,
  at: number,
): Promise<void> {
  const { deposit, request } = work;
  await transaction
    .insertInto("transactions")
    .values({
      ...signed,
      at,
      chain_id: ledger.definition.id,
      deposit_id: deposit.id,
      details: note?.details ?? null,
      kind,
      refund_fail_reason: note?.refundFailReason ?? null,
      request_id: request.id,
      state: "signed",
    })
    .execute();
  if (kind === "fill") {
    await applyTrigger(transaction, request.id, { trigger: "fill-submitted", txHash: signed.hash }, at);
  } else if (request.status === "failure") {
    await applyTrigger(transaction, request.id, { trigger: "refund-begun" }, at);
  }
}
