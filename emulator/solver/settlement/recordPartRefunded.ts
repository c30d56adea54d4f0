import type { Transaction } from "kysely";
import type { Context } from "../../context/Context.ts";
import { revokeAppFees } from "../../requests/accrueAppFees.ts";
import { advanceDebt } from "../../requests/advanceDebt.ts";
import { applyTrigger } from "../../requests/applyTrigger.ts";
import { forceOutcome, noteOf } from "../../requests/forceOutcome.ts";
import type { DepositRow, Tables, TransactionRow } from "../../store/tables.ts";
import { excessesOf, isSignedFor } from "../obligations/excesses.ts";
import { lockAdvance } from "../obligations/payBackAdvance.ts";

const details = "The whole payment was refunded at once";

/**
 * Records the refund of a payment that counts toward an advance, in the caller's transaction: the refund was mined despite its
 * cancel. The advance is owed again. Its fill is neither cancelled nor reverted: a refund that another reorg removes is recalled.
 */
export async function recordPartRefunded(
  transaction: Transaction<Tables>,
  row: TransactionRow,
  deposit: DepositRow,
  delivered: bigint | undefined,
  { log, now }: Context,
): Promise<void> {
  const { hash: txHash, request_id } = row;
  const { covers, id, request_id: counted } = deposit;
  if (covers === null || counted === null) throw new Error(`${id} counts toward no advance`);
  await lockAdvance(transaction, covers);
  const excess = await takeExcessBack(transaction, deposit, now());
  const { fail_reason: reason } = await transaction
    .selectFrom("requests")
    .select("fail_reason")
    .where("id", "=", request_id)
    .executeTakeFirstOrThrow();
  const amount = (BigInt(deposit.amount) + excess).toString();
  await transaction
    .updateTable("deposits")
    .set({ amount, outcome: "refused", reason, request_id, todo: null })
    .where("id", "=", id)
    .execute();
  if (((await advanceDebt(transaction, counted)) ?? 0n) > 0n) await revokeAppFees(transaction, counted);
  const of = `chain ${row.chain_id} mined ${txHash} before it could be cancelled`;
  if (request_id !== counted) {
    log({ level: "info", message: `${of}: the payment no longer counts`, requestId: request_id });
    return forceOutcome(transaction, request_id, "refund", { ...noteOf(row), delivered, txHash }, now());
  }
  const message = `${of}, and the fast fill of the same deposit is not cancelled: the second payment is lost`;
  log({ level: "error", message, requestId: request_id });
  const noted = transaction.updateTable("transactions").set({ delivered: delivered?.toString() ?? null });
  await noted.where("id", "=", row.id).execute();
}

/**
 * Ends the refunds of what an advance did not need of a payment, as far as nothing is signed for them: the payment was refunded
 * whole.
 *
 * @returns Their sum.
 */
async function takeExcessBack(
  transaction: Transaction<Tables>,
  { id }: Pick<DepositRow, "id">,
  at: number,
): Promise<bigint> {
  let sum = 0n;
  for (const { amount, id: excess, outcome, request_id, tx_hash: txHash } of await excessesOf(
    transaction,
    id,
  )) {
    if (outcome === "vanished" || (await isSignedFor(transaction, excess))) continue;
    await transaction
      .updateTable("deposits")
      .set({ claimed_until: null, not_before: null, outcome: "vanished", todo: null })
      .where("id", "=", excess)
      .execute();
    sum += BigInt(amount);
    if (request_id === null) continue;
    await forceOutcome(transaction, request_id, "pending", { txHash }, at);
    await applyTrigger(transaction, request_id, { details, trigger: "refund-failed" }, at);
  }
  return sum;
}
