import type { Transaction } from "kysely";
import type { Context } from "../../context/Context.ts";
import { forceOutcome, noteOf } from "../../requests/forceOutcome.ts";
import { addRequestHash } from "../../requests/insertRequest.ts";
import type { Tables, TransactionRow } from "../../store/tables.ts";
import type { Settled, SolverLedger } from "../ledgers/SolverLedger.ts";
import { pairedPayment } from "../obligations/pairedPayment.ts";
import { resumeAdvance } from "../obligations/payBackAdvance.ts";
import { cancel } from "./cancel.ts";
import { unmined } from "./readOutcome.ts";
import { settleAlone } from "./settleAlone.ts";

/**
 * Settles cancels that lost their nonce to the cancelled payment, which a node still had. A reverted payment moved
 * nothing, as intended. A successful payment ends the request, and the deposit's other payment is cancelled in turn.
 *
 * @param ledger Ledger of the cancels; the other payment may be on another one.
 */
export async function settleFailedCancels(ledger: SolverLedger, context: Context): Promise<void> {
  const rows = await context.store
    .selectFrom("transactions")
    .select(["id", "kind", "nonce", "request_id"])
    .where("chain_id", "=", ledger.definition.id)
    .where("state", "=", "signed")
    .where("kind", "=", "cancel")
    .orderBy("nonce")
    .execute();
  for (const row of rows) await settleAlone(row, () => settleFailed(row, ledger, context), context);
}

async function settleFailed(
  { id, nonce }: Pick<TransactionRow, "id" | "nonce">,
  ledger: SolverLedger,
  context: Context,
): Promise<void> {
  if (!(await ledger.isNonceTaken(nonce))) return;
  const replaced = await context.store
    .selectFrom("transactions")
    .selectAll()
    .where("replaced_by", "=", id)
    .executeTakeFirst();
  // Another process settled the cancel first.
  if (replaced === undefined) return;
  const outcome = await ledger.readOutcome(replaced);
  // The cancel was mined meanwhile, or the chain is about to be searched again.
  if (outcome === undefined) return;
  await context.store.transaction().execute(async (transaction) => {
    if (await outcome.isOutdated(transaction)) return;
    await settleOne(transaction, id, outcome, context);
  });
}

async function settleOne(
  transaction: Transaction<Tables>,
  cancelId: number,
  outcome: Settled,
  context: Context,
): Promise<void> {
  const mined = outcome.columns;
  if (outcome.failure !== undefined) {
    const failed = transaction.updateTable("transactions").set(mined).where("id", "=", cancelId);
    await failed.where("state", "=", "signed").execute();
    return;
  }
  const { row } = outcome;
  // A second payment of the same kind exists if a reorg removed the deposit and returned it.
  const second = await transaction
    .selectFrom("transactions")
    .selectAll()
    .where("deposit_id", "=", row.deposit_id)
    .where("kind", "=", row.kind)
    .where("replaced_by", "is", null)
    .executeTakeFirst();
  if (second?.state === "mined") return recordLost(transaction, cancelId, outcome, second, context);
  const { numDeletedRows } = await transaction
    .deleteFrom("transactions")
    .where("id", "=", cancelId)
    .where("state", "=", "signed")
    .executeTakeFirstOrThrow();
  // Another process settled the cancel first.
  if (numDeletedRows === 0n) return;
  if (second !== undefined) {
    // The second payment must not be mined as well. If it has reverted already, its cancel settles at once.
    const unsettled = transaction.updateTable("transactions").set({ ...unmined, state: "signed" });
    await unsettled.where("id", "=", second.id).execute();
    await cancel(transaction, second, context);
  }
  await transaction
    .updateTable("transactions")
    .set({ ...mined, replaced_by: null })
    .where("id", "=", row.id)
    .execute();
  await recordPaid(transaction, outcome, context);
}

/** Records the loss of a payment that succeeded despite its cancel, if a later payment of its kind was mined too. */
async function recordLost(
  transaction: Transaction<Tables>,
  cancelId: number,
  outcome: Settled,
  second: TransactionRow,
  { log }: Context,
): Promise<void> {
  const { row } = outcome;
  const mined = outcome.columns;
  const { numUpdatedRows } = await transaction
    .updateTable("transactions")
    .set({ ...mined, state: "reverted" })
    .where("id", "=", cancelId)
    .where("state", "=", "signed")
    .executeTakeFirstOrThrow();
  // Another process settled the cancel first.
  if (numUpdatedRows === 0n) return;
  await transaction.updateTable("transactions").set(mined).where("id", "=", row.id).execute();
  const message = `chain ${row.chain_id} mined ${row.hash} before it could be cancelled, and ${second.hash} was paid for the same deposit: the second payment is lost`;
  log({ level: "error", message, requestId: row.request_id });
}

/** Records a payment that succeeded despite its cancel, for its deposit and request. */
async function recordPaid(
  transaction: Transaction<Tables>,
  outcome: Settled,
  context: Context,
): Promise<void> {
  const { row } = outcome;
  if (row.kind === "cancel") throw new Error(`${row.hash} is a cancel itself`);
  await addRequestHash(transaction, { hash: row.hash, kind: row.kind, request_id: row.request_id });
  const deposit = await transaction
    .selectFrom("deposits")
    .selectAll()
    .where("id", "=", row.deposit_id)
    .executeTakeFirstOrThrow();
  const at = context.now();
  const delivered = await outcome.measureDelivered(transaction, deposit);
  const other = await pairedPayment(transaction, row, row.kind === "fill" ? "refund" : "fill");
  const of = `chain ${row.chain_id} mined ${row.hash} before it could be cancelled`;
  if (other?.state === "mined") {
    const message = `${of}, and ${other.hash} was paid for the same deposit: the second payment is lost`;
    context.log({ level: "error", message, requestId: row.request_id });
    const noted = transaction.updateTable("transactions").set({ delivered: delivered?.toString() ?? null });
    await noted.where("id", "=", row.id).execute();
    return;
  }
  context.log({ level: "info", message: `${of}: the request ends with it`, requestId: row.request_id });
  if (other?.state === "signed") await cancel(transaction, other, context);
  await transaction
    .updateTable("deposits")
    .set({
      claimed_until: null,
      not_before: null,
      todo: null,
      ...(row.kind === "fill" && deposit.outcome !== "vanished" && { outcome: "accepted", reason: null }),
    })
    .where("id", "=", deposit.id)
    .execute();
  if (deposit.source === "advance") {
    await resumeAdvance(transaction, { id: deposit.id, request_id: row.request_id });
  }
  const end = row.kind === "fill" ? "success" : "refund";
  const time = row.kind === "fill" && { fillTimeMs: Math.max(0, at - deposit.at) };
  await forceOutcome(
    transaction,
    row.request_id,
    end,
    { ...noteOf(row), ...time, delivered, txHash: row.hash },
    at,
  );
}
