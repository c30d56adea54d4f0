import type { Transaction } from "kysely";
import type { FailReason } from "../../../src/schema/request/failReason.ts";
import type { Context } from "../../context/Context.ts";
import { revokeAppFees } from "../../requests/accrueAppFees.ts";
import { applyTrigger, parseEventData } from "../../requests/applyTrigger.ts";
import { forceOutcome } from "../../requests/forceOutcome.ts";
import { isAdvanceOwed } from "../../requests/isAdvanceOwed.ts";
import type { DepositRow, RequestRow, Tables, TransactionRow } from "../../store/tables.ts";
import { lockAdvance } from "../obligations/payBackAdvance.ts";
import type { Judgement } from "./judgeDeposit.ts";

const reorged = "DEPOSIT_REORGED";

/**
 * Handles a deposit that a reorg removed: nothing more is signed for it, and its request fails, filled or not.
 * A fill that is signed and not mined cannot be revoked: the request fails once the fill is mined. A request that was
 * fast-filled stays filled: its advance is owed again. Called once for each deposit, in the transaction that moves the search back.
 */
export async function depositVanished(
  transaction: Transaction<Tables>,
  deposit: DepositRow,
  context: Context,
): Promise<void> {
  const { log, now } = context;
  if (deposit.outcome === "netted" && deposit.covers !== null) await lockAdvance(transaction, deposit.covers);
  await transaction
    .updateTable("deposits")
    .set({ outcome: "vanished", reason: reorged, todo: null, tx_status: "failure" })
    .where("id", "=", deposit.id)
    .execute();
  log({
    level: "info",
    message: `a reorg removed a deposit from chain ${deposit.chain_id}: ${deposit.tx_hash}`,
    requestId: deposit.request_id ?? undefined,
  });
  if (deposit.request_id === null) return;
  if (await isAdvanceOwed(transaction, deposit.request_id))
    await revokeAppFees(transaction, deposit.request_id);
  const { status } = await requestOf(transaction, deposit.request_id);
  const isOpen = status === "pending" && deposit.todo !== null;
  const isFilled = status === "success" && deposit.outcome === "accepted";
  if (isOpen || isFilled) await failReorged(transaction, deposit.request_id, deposit, now());
}

/** Fails a request whose deposit a reorg removed, in the caller's transaction. */
export async function failReorged(
  transaction: Transaction<Tables>,
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
  transaction: Transaction<Tables>,
  deposit: DepositRow,
  judge: (request: Pick<RequestRow, "intent" | "created_at">, foundAt: number) => Judgement,
  { log, now }: Context,
): Promise<void> {
  if (deposit.request_id === null) return;
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
  const fill = signed.find(({ kind, state }) => kind === "fill" && state !== "reverted");
  const earlier = fill === undefined ? await refusalBefore(transaction, request.id) : undefined;
  const judgement: Judgement = earlier ? { outcome: "refused", reason: earlier } : judge(request, deposit.at);
  const todo = todoAfter(judgement, signed);
  const reason = judgement.outcome === "refused" ? judgement.reason : null;
  await transaction
    .updateTable("deposits")
    .set({ outcome: judgement.outcome, reason, todo, tx_status: "success" })
    .where("id", "=", deposit.id)
    .execute();
  if (request.status !== "failure" || request.fail_reason !== reorged) return;
  // In another block a transaction may deposit less; then the fill stays unpaid.
  if (fill !== undefined && judgement.outcome === "refused") return;
  const change = { failReason: reason, trigger: "deposit-returned", txHash: deposit.tx_hash } as const;
  await applyTrigger(transaction, request.id, change, now());
  if (fill?.state === "mined")
    await forceOutcome(transaction, request.id, "success", { txHash: fill.hash }, now());
}

/** Reads the reason to refund a deposit, as recorded before a reorg removed the deposit. */
async function refusalBefore(
  transaction: Transaction<Tables>,
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

function todoAfter(
  { outcome }: Judgement,
  signed: readonly Pick<TransactionRow, "kind" | "state">[],
): DepositRow["todo"] {
  if (signed.some(({ kind }) => kind === "refund")) return null;
  const fill = signed.find(({ kind }) => kind === "fill");
  if (fill !== undefined) return fill.state === "reverted" ? "refund" : null;
  return outcome === "accepted" ? "fill" : "refund";
}

async function requestOf(transaction: Transaction<Tables>, requestId: string) {
  return transaction
    .selectFrom("requests")
    .select(["id", "status", "fail_reason", "intent", "created_at"])
    .where("id", "=", requestId)
    .executeTakeFirstOrThrow();
}
