import { type Hex, keccak256, parseTransaction } from "viem";
import type { Context } from "../../context/Context.ts";
import { forceOutcome } from "../../requests/applyTrigger.ts";
import type { DepositRow, StoreTransaction, TransactionRow } from "../../store/tables.ts";
import type { Moved } from "../receipts/findReorgedTransactions.ts";
import { unmined } from "../receipts/readOutcome.ts";
import { moveRelayed } from "../relayedRows.ts";
import { isObligation, lockPaid, moveDeposit } from "./depositRows.ts";
import { failReorged } from "./reorg.ts";

/**
 * Reverts the records of transactions that a reorg removed, in the caller's database transaction. The same bytes are
 * sent again, so that each payment is made once. A payment that would now be unpaid, or a second one, is cancelled.
 * Called after the chain's deposits were recorded.
 */
export async function revertSettlement(
  transaction: StoreTransaction,
  { relayed, transactions }: Moved,
  context: Context,
): Promise<void> {
  for (const { request_id } of relayed) {
    await moveRelayed(transaction, request_id, "reorged", unmined);
  }
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
    if (place !== undefined) continue;
    const message = `a reorg removed a ${row.kind} from chain ${row.chain_id}: ${row.hash}`;
    context.log({ level: "info", message, requestId: row.request_id });
    await revertPayment(transaction, row, context);
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

async function revertPayment(
  transaction: StoreTransaction,
  row: TransactionRow,
  context: Context,
): Promise<void> {
  // A replaced payment was cancelled already, and its cancel is sent again.
  if (row.kind === "cancel" || row.replaced_by !== null) return;
  const deposit = await lockPaid(transaction, row);
  await (row.kind === "fill" ? revertFill : revertRefund)(transaction, { deposit, row }, context);
}

type Subject = { readonly row: TransactionRow; readonly deposit: DepositRow };

async function revertFill(
  transaction: StoreTransaction,
  { deposit, row }: Subject,
  context: Context,
): Promise<void> {
  const at = context.now();
  const { request_id } = row;
  if (row.state === "mined") {
    // The request failed with its deposit: its fill must not be mined again.
    if (deposit.state !== "fill-signed") return cancel(transaction, row, context);
    return forceOutcome(transaction, request_id, "submitted", { txHash: row.hash }, at);
  }
  // A refund of any state, even abandoned, a vanished deposit, a claim whose balance was returned, or a released advance: the
  // fill must not be mined again.
  const isOver = deposit.state === "vanished" || isObligation(deposit);
  if (isOver || (await hasRefund(transaction, row))) return cancel(transaction, row, context);
  await moveDeposit(transaction, deposit, "fill-resumed", null);
  await forceOutcome(transaction, request_id, "submitted", { txHash: row.hash }, at);
}

/** Whether a refund of the request was signed and is not cancelled. */
async function hasRefund(transaction: StoreTransaction, { request_id }: TransactionRow): Promise<boolean> {
  const refund = await transaction
    .selectFrom("transactions")
    .select("id")
    .where("request_id", "=", request_id)
    .where("kind", "=", "refund")
    .where("replaced_by", "is", null)
    .executeTakeFirst();
  return refund !== undefined;
}

async function revertRefund(
  transaction: StoreTransaction,
  { deposit, row }: Subject,
  context: Context,
): Promise<void> {
  const at = context.now();
  const { request_id } = row;
  await forceOutcome(transaction, request_id, "pending", { txHash: row.hash }, at);
  if (deposit.state !== "vanished") return;
  // The reorg removed the deposit too: there is nothing to refund.
  await cancel(transaction, row, context);
  await failReorged(transaction, request_id, deposit, at);
}

/** Gas of a plain transfer. */
const transferGas = 21_000n;
/** Nodes replace a pending transaction only if the fees rise by a tenth. */
const raised = (fee: bigint | undefined) => ((fee ?? 0n) * 5n) / 4n + 1n;

/**
 * Replaces a stored payment by a transfer of nothing with the same nonce, in the caller's database transaction. The payment is
 * never sent again. Without the replacement later nonces could not be mined. A chain that mines the payment first leaves the
 * cancel signed, and nothing more is paid for the deposit.
 */
async function cancel(
  transaction: StoreTransaction,
  { at, chain_id, deposit_id, id, nonce, raw: replaced, request_id }: TransactionRow,
  { accounts }: Pick<Context, "accounts">,
): Promise<void> {
  const { account } = accounts.solver;
  const before = parseTransaction(replaced as Hex);
  const raw = await account.signTransaction({
    chainId: chain_id,
    gas: transferGas,
    maxFeePerGas: raised(before.maxFeePerGas),
    maxPriorityFeePerGas: raised(before.maxPriorityFeePerGas),
    nonce,
    to: account.address,
    type: "eip1559",
  });
  const cancelling = await transaction
    .insertInto("transactions")
    .values({
      ...{ at, chain_id, deposit_id, nonce, raw, request_id },
      hash: keccak256(raw),
      kind: "cancel",
      state: "signed",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable("transactions")
    .set({ replaced_by: cancelling.id })
    .where("id", "=", id)
    .execute();
}
