import { type Hex, keccak256, parseTransaction } from "viem";
import type { FailReason } from "../../../src/schema/request/failReason.ts";
import type { Context } from "../../context/Context.ts";
import { revokeAppFees } from "../../requests/accrueAppFees.ts";
import { applyTrigger, forceOutcome, parseEventData } from "../../requests/applyTrigger.ts";
import { isAdvanceOwed } from "../../requests/isAdvanceOwed.ts";
import type { DepositRow, RequestRow, StoreTransaction, TransactionRow } from "../../store/tables.ts";
import type { Moved } from "../receipts/findReorgedTransactions.ts";
import { unmined } from "../receipts/readOutcome.ts";
import { moveRelayed } from "../relayedRows.ts";
import { isObligation, lockDeposit, lockPaid, moveDeposit } from "./depositRows.ts";
import type { DepositTrigger } from "./depositTransitions.ts";
import type { Judgement } from "./judgeDeposit.ts";

const reorged = "DEPOSIT_REORGED";

/**
 * Handles a deposit that a reorg removed: nothing more is signed for it, and its request fails, filled or not.
 * A fill that is signed and not mined cannot be revoked: the request fails once the fill is mined. A request that was
 * fast-filled stays filled: its advance is owed again. Called once for each deposit, in the transaction that moves the search back.
 */
export async function depositVanished(
  transaction: StoreTransaction,
  deposit: DepositRow,
  context: Context,
): Promise<void> {
  const { log, now } = context;
  const { request_id, state } = deposit;
  if (state === "netted") await lockDeposit(transaction, `advance:${request_id}`);
  await moveDeposit(transaction, deposit, "reorged", reorged);
  log({
    level: "info",
    message: `a reorg removed a deposit from chain ${deposit.chain_id}: ${deposit.tx_hash}`,
    requestId: request_id,
  });
  if (await isAdvanceOwed(transaction, request_id)) await revokeAppFees(transaction, request_id);
  const { status } = await requestOf(transaction, request_id);
  const isOpen = status === "pending" && (state === "fill-due" || state === "refund-due");
  const isFilled = status === "success" && state === "fill-signed";
  if (isOpen || isFilled) await failReorged(transaction, request_id, deposit, now());
}

/** Fails a request whose deposit a reorg removed, in the caller's transaction. */
export async function failReorged(
  transaction: StoreTransaction,
  requestId: string,
  deposit: Pick<DepositRow, "block_number" | "chain_id" | "tx_hash">,
  at: number,
): Promise<void> {
  const { block_number: blockNumber, chain_id: chainId, tx_hash: txHash } = deposit;
  const reorg = { blockNumber, chainId, txHash };
  const change = { failReason: reorged, reorg, trigger: "deposit-reorged", txHash } as const;
  await applyTrigger(transaction, requestId, change, at);
}

/**
 * Handles a removed deposit that is on its chain again, in the transaction that found it: its request resumes
 * with it.
 */
export async function depositReturned(
  transaction: StoreTransaction,
  deposit: DepositRow,
  judge: (request: Pick<RequestRow, "intent" | "created_at">, foundAt: number) => Judgement,
  { log, now }: Context,
): Promise<void> {
  const request = await requestOf(transaction, deposit.request_id);
  log({
    level: "info",
    message: `a deposit is back on chain ${deposit.chain_id}: ${deposit.tx_hash}`,
    requestId: request.id,
  });
  const signed = await transaction
    .selectFrom("transactions")
    .select(["hash", "kind", "state"])
    .where("deposit_id", "=", deposit.id)
    .where("replaced_by", "is", null)
    .execute();
  const refund = signed.find(({ kind }) => kind === "refund");
  const fill = signed.find(({ kind, state }) => kind === "fill" && state !== "reverted");
  const judgement = await judgeReturned();
  const reason = judgement.outcome === "refused" ? judgement.reason : null;
  await moveDeposit(transaction, deposit, resumingTrigger(judgement, { fill, refund }), reason);
  if (request.status !== "failure" || request.fail_reason !== reorged) return;
  const change = { failReason: reason, trigger: "deposit-returned", txHash: deposit.tx_hash } as const;
  await applyTrigger(transaction, request.id, change, now());
  if (fill?.state === "mined")
    await forceOutcome(transaction, request.id, "success", { txHash: fill.hash }, now());

  async function judgeReturned(): Promise<Judgement> {
    // The fill is under way, whatever its deposit brings in another block.
    if (fill !== undefined) return { outcome: "accepted" };
    const earlier = await refusalBefore(transaction, request.id);
    return earlier ? { outcome: "refused", reason: earlier } : judge(request, deposit.at);
  }
}

/** Reads the reason to refund a deposit, as recorded before a reorg removed the deposit. */
async function refusalBefore(
  transaction: StoreTransaction,
  requestId: string,
): Promise<FailReason | undefined> {
  const event = await transaction
    .selectFrom("events")
    .select("data")
    .where("request_id", "=", requestId)
    .where("trigger", "in", ["deposit-refused", "fill-failed"])
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return (event && parseEventData(event.data).failReason) ?? undefined;
}

type Signed = Pick<TransactionRow, "state"> | undefined;

function resumingTrigger(
  { outcome }: Judgement,
  { fill, refund }: { readonly fill: Signed; readonly refund: Signed },
): DepositTrigger {
  if (refund !== undefined) return refund.state === "reverted" ? "refund-failed" : "refund-resumed";
  return fill === undefined ? outcome : "fill-resumed";
}

async function requestOf(transaction: StoreTransaction, requestId: string) {
  return transaction
    .selectFrom("requests")
    .select(["id", "status", "fail_reason", "intent", "created_at"])
    .where("id", "=", requestId)
    .executeTakeFirstOrThrow();
}

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
