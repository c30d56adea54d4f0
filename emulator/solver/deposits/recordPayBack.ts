import type { Insertable, Transaction } from "kysely";
import type { Context } from "../../context/Context.ts";
import { accrueAppFees } from "../../requests/accrueAppFees.ts";
import { statusOf } from "../../requests/findRequest.ts";
import { addRequestHash } from "../../requests/insertRequest.ts";
import type { Tables } from "../../store/tables.ts";
import { endAdvance, type PayBack } from "../obligations/payBackAdvance.ts";
import type { FoundDeposit } from "./findDeposits.ts";
import { insertDeposit } from "./insertDeposit.ts";

type PayingBack = Pick<FoundDeposit, "block" | "txHash"> & {
  readonly requestId: string;
  readonly row: Omit<Insertable<Tables["deposits"]>, "outcome">;
};

/** Records a deposit whose request was fast-filled, in the caller's transaction: the request has one fill, and one payment of it. */
export async function recordPayBack(
  transaction: Transaction<Tables>,
  { advance, way }: Extract<PayBack, { way: "cover" | "replace" }>,
  { block, requestId, row, txHash }: PayingBack,
  context: Context,
): Promise<void> {
  if (way === "replace") await endAdvance(transaction, advance);
  await insertDeposit(transaction, {
    ...row,
    request_id: requestId,
    ...(way === "cover" ? { covers: advance.id, outcome: "netted" } : { outcome: "accepted", todo: "fill" }),
  });
  await transaction
    .updateTable("requests")
    .set({ origin_block: Number(block.number) })
    .where("id", "=", requestId)
    .execute();
  await addRequestHash(transaction, { hash: txHash, kind: "deposit", request_id: requestId });
  const isSettled = way === "cover" && (await statusOf(transaction, requestId)) === "success";
  if (isSettled) await accrueAppFees(transaction, requestId, context.now());
}
