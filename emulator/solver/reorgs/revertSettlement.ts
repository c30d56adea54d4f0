import type { Transaction } from "kysely";
import type { Context } from "../../context/Context.ts";
import { forceOutcome, forcePaymentOutcome } from "../../requests/forceOutcome.ts";
import { statusOf } from "../../requests/statusOf.ts";
import type { DepositRow, Tables, TransactionRow } from "../../store/tables.ts";
import type { PayingKind } from "../../store/transactionKinds.ts";
import { failReorged } from "../deposits/reorg.ts";
import { cancel } from "../settlement/cancel.ts";
import type { Moved } from "./findReorgedTransactions.ts";

/** Columns of a transaction that is not mined. */
const nowhere = { block_at: null, block_hash: null, block_number: null, fee: null, gas_used: null };

/**
 * Takes back what was recorded of transactions that are not where they were, in the caller's transaction. The same bytes are
 * sent again, so that what was paid is paid once; where by now that would pay for nothing, or a second time, the nonce is
 * given to a transaction that does nothing. Called once what became of the chain's deposits is recorded.
 */
export async function revertSettlement(
  transaction: Transaction<Tables>,
  { permits, transactions }: Moved,
  context: Context,
): Promise<void> {
  for (const { request_id } of permits) {
    await transaction
      .updateTable("permits")
      .set({ ...nowhere, state: "signed" })
      .where("request_id", "=", request_id)
      .where("state", "in", ["mined", "reverted"])
      .execute();
  }
  for (const { block, row } of transactions) {
    const place =
      block === undefined
        ? ({ ...nowhere, state: "signed" } as const)
        : {
            block_at: Number(block.timestamp) * 1_000,
            block_hash: block.hash,
            block_number: Number(block.number),
          };
    const { numUpdatedRows } = await transaction
      .updateTable("transactions")
      .set(place)
      .where("id", "=", row.id)
      .where("state", "=", row.state)
      .where("block_hash", "=", row.block_hash)
      .executeTakeFirstOrThrow();
    // Another process was quicker, or it only stands in another block.
    if (numUpdatedRows === 0n || block !== undefined) continue;
    const message = `a ${row.kind} is not on chain ${row.chain_id} any more: ${row.hash}`;
    context.log({ level: "info", message, requestId: row.request_id });
    await takeBack(transaction, row, context);
  }
}

async function takeBack(
  transaction: Transaction<Tables>,
  row: TransactionRow,
  context: Context,
): Promise<void> {
  if (row.kind === "cancel") return;
  const deposit = await transaction
    .selectFrom("deposits")
    .selectAll()
    .where("id", "=", row.deposit_id)
    .executeTakeFirstOrThrow();
  await (row.kind === "fill" ? takeFillBack : takeRefundBack)(transaction, { deposit, row }, context);
}

type Subject = { readonly row: TransactionRow; readonly deposit: DepositRow };

async function takeFillBack(
  transaction: Transaction<Tables>,
  { deposit, row }: Subject,
  context: Context,
): Promise<void> {
  const at = context.now();
  const { request_id } = row;
  const refund = await otherOf(transaction, deposit.id, "refund");
  if (refund !== undefined && refund.state !== "reverted") {
    // It had reverted, or was lost beside the refund; where it ends up next it may pay.
    await cancel(transaction, row, context);
    if ((await statusOf(transaction, request_id)) === "success")
      await forcePaymentOutcome(transaction, refund, at);
    return;
  }
  if (row.state === "mined") {
    // The request failed with its deposit: what paid for it must not be mined again.
    if (deposit.outcome !== "accepted") return cancel(transaction, row, context);
    return forceOutcome(transaction, request_id, "submitted", { txHash: row.hash }, at);
  }
  // Given up, too: what could not go back stays where it is.
  if (refund !== undefined || deposit.outcome === "vanished") return cancel(transaction, row, context);
  await transaction
    .updateTable("deposits")
    .set({ not_before: null, outcome: "accepted", reason: null, todo: null })
    .where("id", "=", deposit.id)
    .execute();
  await forceOutcome(transaction, request_id, "submitted", { txHash: row.hash }, at);
}

async function takeRefundBack(
  transaction: Transaction<Tables>,
  { deposit, row }: Subject,
  context: Context,
): Promise<void> {
  const at = context.now();
  const { request_id } = row;
  const fill = await otherOf(transaction, deposit.id, "fill");
  if (fill !== undefined && fill.state !== "reverted") {
    // It was lost beside the fill, which stands alone now.
    await cancel(transaction, row, context);
    if (fill.state === "mined") await forcePaymentOutcome(transaction, fill, at);
    return;
  }
  await forceOutcome(transaction, request_id, "pending", { txHash: row.hash }, at);
  if (deposit.outcome !== "vanished") return;
  // What was to go back is not there any more, either.
  await cancel(transaction, row, context);
  await failReorged(transaction, request_id, deposit, at);
}

/** The other way in which a deposit was paid for, or was to be. */
async function otherOf(
  transaction: Transaction<Tables>,
  depositId: string,
  kind: PayingKind,
): Promise<TransactionRow | undefined> {
  return transaction
    .selectFrom("transactions")
    .selectAll()
    .where("deposit_id", "=", depositId)
    .where("kind", "=", kind)
    .where("replaced_by", "is", null)
    .executeTakeFirst();
}
