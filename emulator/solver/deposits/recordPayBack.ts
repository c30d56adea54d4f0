import type { Insertable, Transaction } from "kysely";
import { accrueAppFees } from "../../requests/accrueAppFees.ts";
import { applyTrigger } from "../../requests/applyTrigger.ts";
import { statusOf } from "../../requests/findRequest.ts";
import { addRequestHash } from "../../requests/insertRequest.ts";
import type { DepositRow, Tables } from "../../store/tables.ts";
import { endAdvance, handOver, nettedDeposit, type PayBack } from "../obligations/payBackAdvance.ts";
import type { FoundDeposit } from "./findDeposits.ts";
import type { Judgement } from "./judgeDeposit.ts";
import { refuseDeposit } from "./openChildRequest.ts";

type PayingBack = Pick<FoundDeposit, "block" | "id" | "txHash"> & {
  readonly requestId: string;
  /** As if nothing had been paid. */
  readonly judgement: Judgement;
  readonly row: Omit<Insertable<Tables["deposits"]>, "outcome">;
};

/** Records a deposit whose request was fast-filled, in the caller's transaction: the request has one fill, and one payment of it. */
export async function recordPayBack(
  transaction: Transaction<Tables>,
  { advance, way }: Exclude<PayBack, { way: "none" }>,
  deposit: PayingBack,
): Promise<void> {
  const { block, id, judgement, requestId, row, txHash } = deposit;
  const insert = (values: Pick<Insertable<Tables["deposits"]>, "outcome" | "reason" | "todo" | "covers">) =>
    transaction
      .insertInto("deposits")
      .values({ ...row, ...values, request_id: requestId })
      .execute();
  const reason = judgement.outcome === "refused" ? judgement.reason : "TRANSACTION_REVERTED";
  const refused = { outcome: "refused", reason, todo: "refund" } as const;
  switch (way) {
    case "cover":
      await insert({ covers: advance.id, outcome: "accepted" });
      await handOver(transaction, advance.id, id);
      await endAdvance(transaction, advance, "covered");
      if ((await statusOf(transaction, requestId)) === "success") {
        await accrueAppFees(transaction, requestId, row.at);
      }
      break;
    case "net":
      await insert({ covers: advance.id, outcome: "netted", reason: null });
      break;
    case "replace":
      await endAdvance(transaction, advance, "released");
      if (judgement.outcome === "accepted") {
        await insert({ outcome: "accepted", todo: "fill" });
        break;
      }
      await insert(refused);
      // The request is pending since the fast fill began.
      await applyTrigger(
        transaction,
        requestId,
        { failReason: reason, trigger: "fill-failed", txHash },
        row.at,
      );
      break;
    case "refund":
      await insert(refused);
      await handOver(transaction, advance.id, id);
      await refuseDeposit(transaction, requestId, reason, { block, txHash }, row.at);
  }
  await transaction
    .updateTable("requests")
    .set({ origin_block: Number(block.number) })
    .where("id", "=", requestId)
    .execute();
  await addRequestHash(transaction, { hash: txHash, kind: "deposit", request_id: requestId });
}

/**
 * Restores a part of an advance that a reorg had removed and that is on its chain again, in the caller's transaction. False for
 * any other deposit.
 */
export async function isPartAgain(
  transaction: Transaction<Tables>,
  { covers, id }: Pick<DepositRow, "covers" | "id">,
): Promise<boolean> {
  if (covers === null) return false;
  const taken = await transaction
    .selectFrom("transactions")
    .select("id")
    .where("deposit_id", "=", id)
    .limit(1)
    .executeTakeFirst();
  if (taken !== undefined) return false;
  const advance = await transaction
    .selectFrom("deposits")
    .select("outcome")
    .where("id", "=", covers)
    .executeTakeFirstOrThrow();
  // Meanwhile the advance has ended, or another part was netted: the money stays with the solver until an operator returns it.
  const isOpen = advance.outcome === "accepted" && (await nettedDeposit(transaction, covers)) === undefined;
  const outcome = isOpen ? "netted" : "unmatched";
  await transaction
    .updateTable("deposits")
    .set({ outcome, reason: null, tx_status: "success" })
    .where("id", "=", id)
    .execute();
  return true;
}
