import type { Transaction } from "kysely";
import type { Context } from "../Context.ts";
import { applyTrigger } from "../lifecycle/applyTrigger.ts";
import { addRequestHash } from "../store/addRequestHash.ts";
import { type Intent, parseIntent } from "../store/Intent.ts";
import type { DepositRow, RequestRow, Tables } from "../store/tables.ts";
import type { FoundDeposit } from "./findDeposits.ts";
import { type Judgement, judgeDeposit } from "./judgeDeposit.ts";
import { depositReturned } from "./reorg.ts";

/** Requests that have not been paid. */
const unpaid: ReadonlySet<string> = new Set(["waiting", "depositing"]);

/**
 * Records a deposit and moves the request that it names, in the caller's transaction. One that is known already only has
 * its block brought up to date, and is taken up again when it had vanished from the chain.
 */
export async function recordDeposit(
  transaction: Transaction<Tables>,
  deposit: FoundDeposit,
  context: Context,
): Promise<void> {
  const known = await transaction
    .selectFrom("deposits")
    .selectAll()
    .where("id", "=", deposit.id)
    .executeTakeFirst();
  if (known !== undefined) return recordAgain(transaction, known, deposit, context);

  const request = await requestOf(transaction, deposit);
  const at = context.now();
  if (request === undefined) {
    context.log({ level: "info", message: `a deposit names no request: ${deposit.tag}` });
    await transaction
      .insertInto("deposits")
      .values({ ...rowOf(deposit), at, outcome: "unmatched", reason: null, request_id: null })
      .execute();
    return;
  }
  const isPaid = !unpaid.has(request.status);
  const judgement = judgeDeposit(deposit, request.intent, isPaid);
  await transaction
    .insertInto("deposits")
    .values({ ...rowOf(deposit), at, ...judged(judgement), request_id: request.id })
    .execute();
  await addRequestHash(transaction, { hash: deposit.txHash, kind: "deposit", request_id: request.id });
  if (isPaid) {
    const message = "a request was paid twice; the second deposit goes back";
    context.log({ level: "info", message, requestId: request.id });
    return;
  }
  await startRequest(transaction, request.id, deposit, judgement, at);
}

/** The request that a deposit names, by its id or its order's. */
async function requestOf(
  transaction: Transaction<Tables>,
  { tag }: Pick<FoundDeposit, "tag">,
): Promise<(Pick<RequestRow, "id" | "status"> & { intent: Intent }) | undefined> {
  const row = await transaction
    .selectFrom("requests")
    .select(["id", "intent", "status"])
    .where((where) => where.or([where("id", "=", tag), where("order_id", "=", tag)]))
    .executeTakeFirst();
  return row && { ...row, intent: parseIntent(row.intent) };
}

async function recordAgain(
  transaction: Transaction<Tables>,
  known: DepositRow,
  deposit: FoundDeposit,
  context: Context,
): Promise<void> {
  await transaction.updateTable("deposits").set(rowOf(deposit)).where("id", "=", known.id).execute();
  if (known.outcome !== "vanished") return;
  const request = await requestOf(transaction, deposit);
  if (request === undefined) {
    await transaction
      .updateTable("deposits")
      .set({ outcome: "unmatched", reason: null, tx_status: "success" })
      .where("id", "=", known.id)
      .execute();
    return;
  }
  const judge = (isPaid: boolean) => judgeDeposit(deposit, request.intent, isPaid);
  const restored = await depositReturned(transaction, known, request, judge, context);
  await transaction
    .updateTable("deposits")
    .set({ ...judged(restored.judgement), request_id: request.id, tx_status: "success" })
    .where("id", "=", known.id)
    .execute();
  if (restored.isFirst) {
    await startRequest(transaction, request.id, deposit, restored.judgement, context.now());
  }
}

async function startRequest(
  transaction: Transaction<Tables>,
  requestId: string,
  { block, txHash }: FoundDeposit,
  judgement: Judgement,
  at: number,
): Promise<void> {
  await transaction
    .updateTable("requests")
    .set({ origin_block: Number(block.number) })
    .where("id", "=", requestId)
    .execute();
  const isAccepted = judgement.outcome === "accepted";
  const change = isAccepted
    ? ({ trigger: "deposit-accepted" } as const)
    : ({ failReason: judgement.reason, trigger: "deposit-refused" } as const);
  await applyTrigger(transaction, requestId, { ...change, txHash }, at);
}

function judged(judgement: Judgement) {
  const reason = judgement.outcome === "refused" ? judgement.reason : null;
  return { outcome: judgement.outcome, reason };
}

function rowOf(deposit: FoundDeposit) {
  const { amount, block, chainId, currency, depositors, id, tag, txData, txHash } = deposit;
  const [depositor = "0x"] = depositors;
  return {
    amount: amount.toString(),
    block_at: Number(block.timestamp) * 1_000,
    block_hash: block.hash,
    block_number: Number(block.number),
    chain_id: chainId,
    currency,
    depositor,
    id,
    tag,
    tx_data: txData,
    tx_hash: txHash,
  };
}
