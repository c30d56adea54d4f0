import type { Transaction } from "kysely";
import { applyTrigger } from "../../requests/applyTrigger.ts";
import type { RequestRow, Tables } from "../../store/tables.ts";
import type { Signed } from "../ledgers/SolverLedger.ts";
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
  await moveRequest(transaction, request, kind, signed.hash, at);
}

async function moveRequest(
  transaction: Transaction<Tables>,
  request: Pick<RequestRow, "id" | "status">,
  kind: Sending["kind"],
  txHash: string,
  at: number,
): Promise<void> {
  if (kind === "fill") {
    return applyTrigger(transaction, request.id, { trigger: "fill-submitted", txHash }, at);
  }
  if (request.status === "failure") {
    return applyTrigger(transaction, request.id, { trigger: "refund-begun" }, at);
  }
}
