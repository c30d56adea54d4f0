import type { Transaction } from "kysely";
import { type Hex, TransactionReceiptNotFoundError } from "viem";
import type { Context } from "../Context.ts";
import { applyTrigger } from "../lifecycle/applyTrigger.ts";
import type { Tables, TransactionRow } from "../store/tables.ts";

/**
 * Sends a stored transaction, if its chain has not got it, and records its outcome once it is mined. Safe to repeat: the
 * bytes are the same each time, and a chain mines a nonce once.
 */
export async function settle(row: TransactionRow, context: Context): Promise<void> {
  const chain = context.chains.get(row.chain_id);
  if (chain === undefined)
    throw new Error(`transaction ${row.hash} is for chain ${row.chain_id}, which is not here`);
  const hash = row.hash as Hex;
  const receiptOf = () =>
    chain.client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined;
      throw error;
    });

  let receipt = await receiptOf();
  if (receipt === undefined) {
    await chain.client
      .sendRawTransaction({ serializedTransaction: row.raw as Hex })
      .catch((cause: unknown) => {
        context.log({
          cause,
          level: "error",
          message: `a ${row.kind} was not taken`,
          requestId: row.request_id,
        });
      });
    receipt = await receiptOf();
  }
  // Not mined yet: it is looked at again in the next round.
  if (receipt === undefined) return;

  const isMined = receipt.status === "success";
  const at = context.now();
  await context.store.transaction().execute(async (transaction) => {
    await transaction
      .updateTable("transactions")
      .set({ state: isMined ? "mined" : "reverted" })
      .where("id", "=", row.id)
      .execute();
    await (isMined ? recordMined : recordReverted)(transaction, row, at);
  });
}

async function recordMined(transaction: Transaction<Tables>, row: TransactionRow, at: number): Promise<void> {
  if (await isSecondDeposit(transaction, row.deposit_id)) return;
  const trigger = row.kind === "fill" ? "fill-succeeded" : "refund-succeeded";
  await applyTrigger(transaction, row.request_id, { trigger, txHash: row.hash }, at);
}

async function recordReverted(
  transaction: Transaction<Tables>,
  row: TransactionRow,
  at: number,
): Promise<void> {
  const isFill = row.kind === "fill";
  await transaction
    .updateTable("deposits")
    .set(isFill ? { outcome: "refused", reason: "TRANSACTION_REVERTED" } : { outcome: "abandoned" })
    .where("id", "=", row.deposit_id)
    .execute();
  if (await isSecondDeposit(transaction, row.deposit_id)) return;
  await applyTrigger(
    transaction,
    row.request_id,
    isFill
      ? { failReason: "TRANSACTION_REVERTED", trigger: "fill-failed", txHash: row.hash }
      : { details: "The refund reverted", trigger: "refund-failed", txHash: row.hash },
    at,
  );
}

/** A second payment of a request goes back without the request noticing. */
export async function isSecondDeposit(transaction: Transaction<Tables>, depositId: string): Promise<boolean> {
  const { reason } = await transaction
    .selectFrom("deposits")
    .select("reason")
    .where("id", "=", depositId)
    .executeTakeFirstOrThrow();
  return reason === "DOUBLE_SPEND";
}
