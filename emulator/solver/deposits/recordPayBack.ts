import type { Insertable, Transaction } from "kysely";
import type { Context } from "../../context/Context.ts";
import { accrueAppFees } from "../../requests/accrueAppFees.ts";
import { statusOf } from "../../requests/findRequest.ts";
import { addRequestHash } from "../../requests/insertRequest.ts";
import type { DepositRow, Tables } from "../../store/tables.ts";
import { isSignedFor } from "../obligations/excesses.ts";
import { endAdvance, type PayBack } from "../obligations/payBackAdvance.ts";
import type { FoundDeposit } from "./findDeposits.ts";
import type { Judgement } from "./judgeDeposit.ts";
import { type Parent, refuseDeposit } from "./openChildRequest.ts";
import { refundExcess } from "./refundExcess.ts";

type PayingBack = Pick<FoundDeposit, "block" | "txHash"> & {
  readonly request: Parent;
  /** As if nothing had been paid. */
  readonly judgement: Judgement;
  readonly row: Omit<Insertable<Tables["deposits"]>, "outcome">;
};

/** Records a deposit whose request was fast-filled, in the caller's transaction: the request has one fill, and one payment of it. */
export async function recordPayBack(
  transaction: Transaction<Tables>,
  payBack: Exclude<PayBack, { way: "none" }>,
  deposit: PayingBack,
  context: Context,
): Promise<void> {
  const { block, judgement, request, row, txHash } = deposit;
  const { advance } = payBack;
  const insert = (values: Partial<Insertable<Tables["deposits"]>> & Pick<DepositRow, "outcome">) =>
    transaction
      .insertInto("deposits")
      .values({ ...row, ...values, request_id: request.id })
      .execute();
  switch (payBack.way) {
    case "count": {
      const paid = BigInt(row.amount);
      const part = paid < payBack.owed ? paid : payBack.owed;
      await insert({ amount: part.toString(), covers: advance.id, outcome: "netted" });
      if (paid > part) await refundExcess(transaction, row, paid - part, request, context);
      const isSettled = part === payBack.owed && (await statusOf(transaction, request.id)) === "success";
      if (isSettled) await accrueAppFees(transaction, request.id, context.now());
      break;
    }
    case "replace":
      await endAdvance(transaction, advance);
      await insert({ outcome: "accepted", todo: "fill" });
      break;
    case "refund": {
      const reason = judgement.outcome === "refused" ? judgement.reason : "TRANSACTION_REVERTED";
      await insert({ covers: advance.id, outcome: "refused", reason, todo: "refund" });
      await refuseDeposit(transaction, request.id, reason, { block, txHash }, context.now());
    }
  }
  await transaction
    .updateTable("requests")
    .set({ origin_block: Number(block.number) })
    .where("id", "=", request.id)
    .execute();
  await addRequestHash(transaction, { hash: txHash, kind: "deposit", request_id: request.id });
}

/**
 * Whether a deposit that was removed and is on its chain again is recorded as a new one: it paid toward an advance, so that what
 * its order owes may have changed. A request that failed with the deposit resumes with it instead.
 */
export async function isRecordedAnew(
  transaction: Transaction<Tables>,
  { covers, id, request_id }: Pick<DepositRow, "covers" | "id" | "request_id">,
): Promise<boolean> {
  if (covers === null || request_id === null || (await isSignedFor(transaction, id))) return false;
  const request = await transaction
    .selectFrom("requests")
    .select(["fail_reason", "status"])
    .where("id", "=", request_id)
    .executeTakeFirstOrThrow();
  return !(request.status === "failure" && request.fail_reason === "DEPOSIT_REORGED");
}
