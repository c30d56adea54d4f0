import type { Insertable, Transaction } from "kysely";
import type { Context } from "../../context/Context.ts";
import { accrueAppFees } from "../../requests/accrueAppFees.ts";
import { statusOf } from "../../requests/findRequest.ts";
import { addRequestHash } from "../../requests/insertRequest.ts";
import type { DepositRow, Tables } from "../../store/tables.ts";
import { storeDeposit } from "./depositRows.ts";
import type { FoundDeposit } from "./findDeposits.ts";
import { endAdvance, type PayBack } from "./payBackAdvance.ts";

type PayingBack = Pick<FoundDeposit, "block" | "txHash"> & {
  readonly requestId: string;
  readonly known: DepositRow | undefined;
  readonly row: Omit<Insertable<Tables["deposits"]>, "request_id" | "state">;
};

/** Records a deposit whose request was fast-filled, in the caller's transaction: the request has one fill, and one payment of it. */
export async function recordPayBack(
  transaction: Transaction<Tables>,
  { advance, way }: Extract<PayBack, { way: "cover" | "replace" }>,
  { block, known, requestId, row, txHash }: PayingBack,
  context: Context,
): Promise<void> {
  if (way === "replace") await endAdvance(transaction, advance);
  const values = { ...row, reason: null, request_id: requestId };
  await storeDeposit(transaction, known, way === "cover" ? "advance-covered" : "accepted", values);
  await transaction
    .updateTable("requests")
    .set({ origin_block: Number(block.number) })
    .where("id", "=", requestId)
    .execute();
  await addRequestHash(transaction, { hash: txHash, kind: "deposit", request_id: requestId });
  const isSettled = way === "cover" && (await statusOf(transaction, requestId)) === "success";
  if (isSettled) await accrueAppFees(transaction, requestId, context.now());
}
