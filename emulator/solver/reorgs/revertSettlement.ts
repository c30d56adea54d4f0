import type { Transaction } from "kysely";
import type { Context } from "../../context/Context.ts";
import { lockedStatusOf, statusOf } from "../../requests/findRequest.ts";
import { forceOutcome, forcePaymentOutcome } from "../../requests/forceOutcome.ts";
import type { DepositRow, Tables, TransactionRow } from "../../store/tables.ts";
import { failReorged } from "../deposits/reorg.ts";
import { pairedPayment } from "../obligations/pairedPayment.ts";
import { resumeAdvance } from "../obligations/payBackAdvance.ts";
import { measureDelivered } from "../receipts/measureDelivered.ts";
import { cancel } from "../settlement/cancel.ts";
import { unmined } from "../settlement/readOutcome.ts";
import { isObligation } from "../settlement/releaseObligation.ts";
import type { Moved } from "./findReorgedTransactions.ts";

/**
 * Reverts the records of transactions that a reorg removed, in the caller's database transaction. The same bytes are
 * sent again, so that each payment is made once. A payment that would now be unpaid, or a second one, is cancelled.
 * Called after the chain's deposits were recorded.
 */
export async function revertSettlement(
  transaction: Transaction<Tables>,
  { relayed, transactions }: Moved,
  context: Context,
): Promise<void> {
  for (const { request_id } of relayed) {
    await transaction
      .updateTable("relayed_deposits")
      .set({ ...unmined, state: "signed" })
      .where("request_id", "=", request_id)
      .where("state", "in", ["mined", "reverted"])
      .execute();
  }
  const removed = new Set(transactions.flatMap(({ place, row }) => (place === undefined ? [row.id] : [])));
  for (const { place, row } of transactions) {
    const columns = place === undefined ? ({ ...unmined, state: "signed" } as const) : columnsOf(place);
    const reverted = await transaction
      .updateTable("transactions")
      .set(columns)
      .where("id", "=", row.id)
      .where("state", "=", row.state)
      .where("block_hash", "=", row.block_hash)
      .returning("id")
      .executeTakeFirst();
    // Another process reverted it first.
    if (reverted === undefined) continue;
    if (place !== undefined) {
      await recordResult(transaction, row, place, context);
      continue;
    }
    const message = `a reorg removed a ${row.kind} from chain ${row.chain_id}: ${row.hash}`;
    context.log({ level: "info", message, requestId: row.request_id });
    await revertPayment(transaction, row, removed, context);
  }
}

type Place = NonNullable<Moved["transactions"][number]["place"]>;

function columnsOf({ block, receipt }: Place) {
  return {
    block_at: Number(block.timestamp) * 1_000,
    block_hash: block.hash,
    block_number: Number(block.number),
    fee: receipt.fee.toString(),
    gas_used: Number(receipt.gasUsed),
  };
}

/** Records what a transaction did in its new block: the same swap may give another amount there. */
async function recordResult(
  transaction: Transaction<Tables>,
  row: TransactionRow,
  { block, receipt }: Place,
  { chains, now }: Context,
): Promise<void> {
  if (row.kind === "cancel") return;
  if (row.state === "reverted") {
    await transaction
      .updateTable("requests")
      .set({ failed_tx_block: Number(block.number) })
      .where("id", "=", row.request_id)
      .where("failed_tx_hash", "=", row.hash)
      .execute();
    return;
  }
  const status = await lockedStatusOf(transaction, row.request_id);
  const deposit = await transaction
    .selectFrom("deposits")
    .selectAll()
    .where("id", "=", row.deposit_id)
    .executeTakeFirstOrThrow();
  const delivered = (await measureDelivered(transaction, row, deposit, receipt, chains))?.toString();
  if (delivered === undefined) return;
  if (row.delivered !== null) {
    await transaction.updateTable("transactions").set({ delivered }).where("id", "=", row.id).execute();
  }
  // A request has the amount of its last payment. A lost one did not end it.
  if (await hasLaterPayment(transaction, row)) return;
  if (row.replaced_by !== null || status !== (row.kind === "fill" ? "success" : "refund")) return;
  await transaction
    .updateTable("requests")
    .set({ delivered, updated_at: now() })
    .where("id", "=", row.request_id)
    .where("delivered", "!=", delivered)
    .execute();
}

async function hasLaterPayment(
  transaction: Transaction<Tables>,
  { id, kind, request_id }: TransactionRow,
): Promise<boolean> {
  const later = await transaction
    .selectFrom("transactions")
    .select("id")
    .where("request_id", "=", request_id)
    .where("kind", "=", kind)
    .where("state", "=", "mined")
    .where("replaced_by", "is", null)
    .where("id", ">", id)
    .executeTakeFirst();
  return later !== undefined;
}

async function revertPayment(
  transaction: Transaction<Tables>,
  row: TransactionRow,
  removed: ReadonlySet<number>,
  context: Context,
): Promise<void> {
  // A replaced payment was cancelled or lost already, and its cancel is sent again.
  if (row.kind === "cancel" || row.replaced_by !== null) return;
  const lost = await lostPayment(transaction, row);
  if (lost !== undefined && !removed.has(lost.id)) {
    // The lost payment is the only one mined now: this one must not be mined again.
    await cancel(transaction, row, context);
    await transaction.deleteFrom("transactions").where("id", "=", lost.replaced_by).execute();
    await transaction
      .updateTable("transactions")
      .set({ replaced_by: null })
      .where("id", "=", lost.id)
      .execute();
    return;
  }
  const deposit = await transaction
    .selectFrom("deposits")
    .selectAll()
    .where("id", "=", row.deposit_id)
    .executeTakeFirstOrThrow();
  await (row.kind === "fill" ? revertFill : revertRefund)(transaction, { deposit, row }, context);
}

type Subject = { readonly row: TransactionRow; readonly deposit: DepositRow };

async function revertFill(
  transaction: Transaction<Tables>,
  { deposit, row }: Subject,
  context: Context,
): Promise<void> {
  const at = context.now();
  const { request_id } = row;
  const refund = await pairedPayment(transaction, row, "refund");
  if (refund !== undefined && refund.state !== "reverted") {
    // The fill had reverted, or the reorg removed it with the refund; in its next block it may pay.
    await cancel(transaction, row, context);
    if ((await statusOf(transaction, request_id)) === "success")
      await forcePaymentOutcome(transaction, refund, at);
    return;
  }
  if (row.state === "mined") {
    // The request failed with its deposit: its fill must not be mined again.
    if (deposit.outcome !== "accepted") return cancel(transaction, row, context);
    return forceOutcome(transaction, request_id, "submitted", { txHash: row.hash }, at);
  }
  // A refund of any state, even abandoned, a vanished deposit, a claim whose balance was returned, or a released advance: the
  // fill must not be mined again.
  const isOver = deposit.outcome === "vanished" || isObligation(deposit);
  if (refund !== undefined || isOver) return cancel(transaction, row, context);
  await transaction
    .updateTable("deposits")
    .set({ not_before: null, outcome: "accepted", reason: null, todo: null })
    .where("id", "=", deposit.id)
    .execute();
  await forceOutcome(transaction, request_id, "submitted", { txHash: row.hash }, at);
}

async function revertRefund(
  transaction: Transaction<Tables>,
  { deposit, row }: Subject,
  context: Context,
): Promise<void> {
  const at = context.now();
  const { request_id } = row;
  const fill = await pairedPayment(transaction, row, "fill");
  if (fill !== undefined && fill.state !== "reverted") {
    // The fill is the only payment now: the refund must not be mined again.
    await cancel(transaction, row, context);
    // Covered first: app fees are earned once the advance is covered.
    const isAdvanced = fill.deposit_id !== deposit.id && deposit.outcome !== "vanished";
    if (isAdvanced) await resumeAdvance(transaction, { id: fill.deposit_id, request_id });
    if (fill.state === "mined") await forcePaymentOutcome(transaction, fill, at);
    return;
  }
  await forceOutcome(transaction, request_id, "pending", { txHash: row.hash }, at);
  if (deposit.outcome !== "vanished") return;
  // The reorg removed the deposit too: there is nothing to refund.
  await cancel(transaction, row, context);
  await failReorged(transaction, request_id, deposit, at);
}

/** The deposit's other payment of the same kind that was mined in place of its cancel, and counted as lost. */
async function lostPayment(
  transaction: Transaction<Tables>,
  { deposit_id, kind }: TransactionRow,
): Promise<TransactionRow | undefined> {
  return transaction
    .selectFrom("transactions")
    .selectAll()
    .where("deposit_id", "=", deposit_id)
    .where("kind", "=", kind)
    .where("state", "=", "mined")
    .where("replaced_by", "is not", null)
    .executeTakeFirst();
}
