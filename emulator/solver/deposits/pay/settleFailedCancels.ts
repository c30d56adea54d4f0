import type { Context } from "../../../context/Context.ts";
import { forceOutcome, noteOf } from "../../../requests/applyTrigger.ts";
import { addRequestHash } from "../../../requests/insertRequest.ts";
import type { StoreTransaction, TransactionRow } from "../../../store/tables.ts";
import type { Settled, SolverLedger } from "../../SolverLedger.ts";
import { lockPaid, moveDeposit } from "../depositRows.ts";
import { resumeAdvance } from "../payBackAdvance.ts";
import { cancel } from "./cancel.ts";
import { settleAlone } from "./settle.ts";

/**
 * Settles cancels that lost their nonce to the cancelled payment, which a node still had. A reverted payment moved
 * nothing, as intended. A successful payment ends the request; if the request has another payment already, the payment
 * is a loss.
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
  transaction: StoreTransaction,
  cancelId: number,
  outcome: Settled,
  context: Context,
): Promise<void> {
  const { columns: mined, failure, row } = outcome;
  const others = failure === undefined ? await otherPayments(transaction, row) : [];
  const second = others.find(({ kind, state }) => kind === row.kind || state === "mined");
  const settled = await transaction
    .updateTable("transactions")
    .set({ ...mined, state: "reverted" })
    .where("id", "=", cancelId)
    .where("state", "=", "signed")
    .returning("id")
    .executeTakeFirst();
  // Another process settled the cancel first.
  if (settled === undefined || failure !== undefined) return;
  // The cancel of a payment that ends the request never counts again.
  if (second === undefined) await transaction.deleteFrom("transactions").where("id", "=", cancelId).execute();
  await transaction
    .updateTable("transactions")
    .set(second === undefined ? { ...mined, replaced_by: null } : mined)
    .where("id", "=", row.id)
    .execute();
  const of = `chain ${row.chain_id} mined ${row.hash} before it could be cancelled`;
  if (second !== undefined) {
    const message = `${of}, and ${second.hash} was paid for the same deposit: the second payment is lost`;
    context.log({ level: "error", message, requestId: row.request_id });
    return;
  }
  context.log({ level: "info", message: `${of}: the request ends with it`, requestId: row.request_id });
  for (const other of others) await cancel(transaction, other, context);
  await recordPaid(transaction, outcome, context);
}

/** The payments of the same request that are mined or may be, and any of the same kind. */
async function otherPayments(
  transaction: StoreTransaction,
  { kind, request_id }: TransactionRow,
): Promise<readonly TransactionRow[]> {
  return transaction
    .selectFrom("transactions")
    .selectAll()
    .where("request_id", "=", request_id)
    .where("kind", "!=", "cancel")
    .where("replaced_by", "is", null)
    .where((where) => where.or([where("state", "!=", "reverted"), where("kind", "=", kind)]))
    .execute();
}

/** Records a payment that succeeded despite its cancel, for its deposit and request. */
async function recordPaid(transaction: StoreTransaction, outcome: Settled, context: Context): Promise<void> {
  const { row } = outcome;
  if (row.kind === "cancel") throw new Error(`${row.hash} is a cancel itself`);
  await addRequestHash(transaction, { hash: row.hash, kind: row.kind, request_id: row.request_id });
  const deposit = await lockPaid(transaction, row);
  const at = context.now();
  const isFill = row.kind === "fill";
  // A removed deposit that returns finds its payment.
  if (deposit.state !== "vanished") {
    await moveDeposit(transaction, deposit, `${row.kind}-resumed`, isFill ? null : undefined);
  }
  if (deposit.source === "advance") await resumeAdvance(transaction, row.request_id);
  const change = {
    ...noteOf(row),
    ...(isFill && { fillTimeMs: Math.max(0, at - deposit.at) }),
    delivered: await outcome.measureDelivered(transaction, deposit),
    txHash: row.hash,
  };
  await forceOutcome(transaction, row.request_id, isFill ? "success" : "refund", change, at);
}
