import type { Context } from "../../context/Context.ts";
import { forceOutcome } from "../../requests/forceOutcome.ts";
import { isPostgres } from "../../store/dialect/columnTypes.ts";
import type { TransactionRow } from "../../store/tables.ts";
import { failReorged } from "../deposits/reorg.ts";
import type { SolverLedger } from "../ledgers/SolverLedger.ts";
import { cancel, signCancel } from "./cancel.ts";

/**
 * Makes a payment due again whose cancel was mined in its place: the payment had been mined despite the cancel, and a reorg
 * removed it. Any node that has the cancel may have mined it.
 *
 * @param row A payment that the chain refuses.
 */
export async function repayCancelled(
  row: TransactionRow,
  ledger: SolverLedger,
  context: Context,
): Promise<void> {
  if (row.kind === "cancel" || !(await ledger.isNonceTaken(row.nonce))) return;
  const { kind } = row;
  const outcome = await ledger.readOutcome({ ...row, ...(await signCancel(row, context)) });
  if (outcome === undefined) return;
  await context.store.transaction().execute(async (transaction) => {
    const unsettled = await transaction
      .selectFrom("transactions")
      .select("id")
      .where("id", "=", row.id)
      .where("state", "=", "signed")
      .where("replaced_by", "is", null)
      .$if(isPostgres(transaction), (query) => query.forUpdate())
      .executeTakeFirst();
    // Another process was first, or the chain is about to be searched again.
    if (unsettled === undefined || (await outcome.isOutdated(transaction))) return;
    await cancel(transaction, row, context);
    const deposit = await transaction
      .selectFrom("deposits")
      .selectAll()
      .where("id", "=", row.deposit_id)
      .executeTakeFirstOrThrow();
    const { request_id } = row;
    const at = context.now();
    const message = `chain ${row.chain_id} mined the cancel of ${row.hash} after a reorg: the ${kind} is made again`;
    context.log({ level: "info", message, requestId: request_id });
    // A refund keeps the reason of its request.
    const change = { ...(kind === "fill" && { failReason: null }), txHash: row.hash };
    await forceOutcome(transaction, request_id, "pending", change, at);
    if (deposit.outcome === "vanished") return failReorged(transaction, request_id, deposit, at);
    await transaction
      .updateTable("deposits")
      .set({ claimed_until: null, not_before: null, todo: kind })
      .where("id", "=", deposit.id)
      .execute();
  });
}
