import type { FailReason } from "../../../src/schema/request/failReason.ts";
import type { Context } from "../../context/Context.ts";
import { revokeAppFees } from "../../requests/accrueAppFees.ts";
import { applyTrigger, forceOutcome, parseEventData } from "../../requests/applyTrigger.ts";
import { isAdvanceOwed } from "../../requests/isAdvanceOwed.ts";
import type { DepositRow, RequestRow, StoreTransaction, TransactionRow } from "../../store/tables.ts";
import { lockDeposit, moveDeposit } from "./depositRows.ts";
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
