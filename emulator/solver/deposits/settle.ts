import { isTransportError } from "../../chains/evm/httpRpc.ts";
import type { Context } from "../../context/Context.ts";
import { faultSubjectColumns } from "../../context/FaultHooks.ts";
import { applyTrigger, noteOf } from "../../requests/applyTrigger.ts";
import { addRequestHash } from "../../requests/insertRequest.ts";
import type { DepositRow, StoreTransaction, TransactionRow } from "../../store/tables.ts";
import type { Settled, SolverLedger } from "../SolverLedger.ts";
import { isObligation, lockPaid, moveDeposit } from "./depositRows.ts";
import { releaseObligation } from "./payBackAdvance.ts";
import { failReorged } from "./reorg.ts";

/** Polls of pending transactions, kept in memory. After a restart every transaction is polled once more. */
export type ReceiptPolls = {
  /** The ledger's tip at each transaction's last poll. The next tip starts another poll. */
  readonly tips: Map<string, string>;
  rounds: number;
};

/** Interval, in rounds, of polls of all pending transactions. Transactions that a node dropped are resent. */
const pollAllEvery = 8;

/** Creates empty polls: every transaction is due. */
export function createReceiptPolls(): ReceiptPolls {
  return { tips: new Map(), rounds: 0 };
}

/**
 * Sends the stored transactions that are not mined yet, and records the outcome of mined ones. Idempotent: the bytes
 * are the same each time, and a chain mines a nonce once.
 */
export async function settleAll(
  ledger: SolverLedger,
  context: Context,
  polls: ReceiptPolls,
): Promise<boolean> {
  const rows = await underWay(ledger, context);
  if (++polls.rounds % pollAllEvery === 0 || rows.length === 0) polls.tips.clear();
  if (rows.length === 0) return false;
  const outcomes = await settleLedger(ledger, rows, polls, context);
  const unconfirmed = await findUnconfirmed(outcomes, context);
  // Read again in the next round.
  for (const { row } of unconfirmed) polls.tips.delete(row.hash);
  const mined = outcomes
    .filter((outcome) => !unconfirmed.has(outcome))
    .toSorted((a, b) => a.row.id - b.row.id);
  if (mined.length === 0) return false;
  await recordAll(mined, context);
  for (const { row } of mined) polls.tips.delete(row.hash);
  return mined.some(({ failure }) => failure !== undefined);
}

/** Records outcomes in one transaction; if one of them cannot be recorded, each in a transaction of its own. */
async function recordAll(outcomes: readonly Settled[], context: Context): Promise<void> {
  const recordThese = (those: readonly Settled[]) =>
    context.store.transaction().execute(async (transaction) => {
      for (const outcome of those) {
        if (await outcome.isOutdated(transaction)) continue;
        await record(transaction, outcome, context);
      }
    });
  try {
    await recordThese(outcomes);
  } catch {
    for (const outcome of outcomes) await settleAlone(outcome.row, () => recordThese([outcome]), context);
  }
}

async function findUnconfirmed(
  outcomes: readonly Settled[],
  { control: { faults }, store }: Context,
): Promise<ReadonlySet<Settled>> {
  const found = new Set<Settled>();
  if (faults.isQuiet()) return found;
  for (const outcome of outcomes) {
    if (outcome.row.kind !== "fill") continue;
    const subject = await store
      .selectFrom("requests")
      .select(faultSubjectColumns)
      .where("id", "=", outcome.row.request_id)
      .executeTakeFirstOrThrow();
    if ((await faults.forConfirmation(subject)) !== undefined) found.add(outcome);
  }
  return found;
}

/** The solver's pending transactions of a ledger. */
async function underWay(
  { definition }: SolverLedger,
  { store }: Pick<Context, "store">,
): Promise<readonly TransactionRow[]> {
  return store
    .selectFrom("transactions")
    .selectAll()
    .where("chain_id", "=", definition.id)
    .where("state", "=", "signed")
    .where("replaced_by", "is", null)
    .orderBy("nonce")
    .execute();
}

/** Sends transactions one by one, because automining nodes accept nonces only in order; polls in parallel. */
async function settleLedger(
  ledger: SolverLedger,
  rows: readonly TransactionRow[],
  polls: ReceiptPolls,
  context: Context,
): Promise<readonly Settled[]> {
  const tip = ledger.tip();
  const read = (row: TransactionRow) => settleAlone(row, () => ledger.readOutcome(row), context);
  const isNew = (row: TransactionRow) => !polls.tips.has(row.hash);
  const looked = rows.filter((row) => !isNew(row) && polls.tips.get(row.hash) !== tip);
  const early = await Promise.all(looked.map(read));
  const unmined = looked.filter((_, index) => early[index] === undefined);
  const due = rows.filter((row) => isNew(row) || unmined.includes(row));
  for (const row of due) {
    if (await ledger.send(row)) polls.tips.set(row.hash, tip);
  }
  const late = await Promise.all(due.map(read));
  return [...early, ...late].filter((outcome) => outcome !== undefined);
}

async function record(transaction: StoreTransaction, outcome: Settled, context: Context): Promise<void> {
  const at = context.now();
  const { columns, failure, row } = outcome;
  const recorded = await transaction
    .updateTable("transactions")
    .set(columns)
    .where("id", "=", row.id)
    .where("state", "=", "signed")
    .where("replaced_by", "is", null)
    .returning("id")
    .executeTakeFirst();
  // Another process recorded or replaced the transaction first.
  if (recorded === undefined) return;
  if (row.kind === "cancel") return;
  await addRequestHash(transaction, { hash: row.hash, kind: row.kind, request_id: row.request_id });
  const deposit = await lockPaid(transaction, row);
  const isUnpaid = row.kind === "fill" && deposit.state === "vanished";
  if (failure !== undefined) {
    await recordReverted(transaction, outcome, failure, deposit, context);
    if (isUnpaid) await failReorged(transaction, row.request_id, deposit, at);
    return;
  }
  const note = noteOf(row);
  const delivered = await outcome.measureDelivered(transaction, deposit);
  const change =
    row.kind === "fill"
      ? ({ ...note, delivered, fillTimeMs: Math.max(0, at - deposit.at), trigger: "fill-succeeded" } as const)
      : ({ ...note, delivered, trigger: "refund-succeeded" } as const);
  await applyTrigger(transaction, row.request_id, { ...change, txHash: row.hash }, at);
  if (isUnpaid) await failReorged(transaction, row.request_id, deposit, at);
}

async function recordReverted(
  transaction: StoreTransaction,
  { columns, row }: Settled,
  { call, details }: NonNullable<Settled["failure"]>,
  deposit: DepositRow,
  context: Context,
): Promise<void> {
  const failed = {
    details,
    failedCall: call,
    failedTx: { blockNumber: columns.block_number ?? 0, hash: row.hash },
    txHash: row.hash,
  };
  const failedFill = { ...failed, failReason: "TRANSACTION_REVERTED" } as const;
  if (isObligation(deposit)) return releaseObligation(transaction, deposit, failedFill, context);
  const change =
    row.kind === "fill"
      ? ({ ...failedFill, trigger: "fill-failed" } as const)
      : ({ ...failed, failReason: undefined, trigger: "refund-failed" } as const);
  // A removed deposit is not refunded.
  if (deposit.state !== "vanished") {
    await moveDeposit(transaction, deposit, change.trigger, change.failReason);
  }
  await applyTrigger(transaction, row.request_id, change, context.now());
}

/**
 * Runs the work of one transaction. A failure is logged and stops no other transaction; an error about the node stops
 * all.
 */
async function settleAlone<Result>(
  { kind, request_id: requestId }: Pick<TransactionRow, "kind" | "request_id">,
  work: () => Promise<Result>,
  { log }: Pick<Context, "log">,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (cause) {
    if (isTransportError(cause)) throw cause;
    log({ cause, level: "error", message: `settling a ${kind} failed`, requestId });
    return undefined;
  }
}
