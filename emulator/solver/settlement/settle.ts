import type { Transaction } from "kysely";
import type { Hex, TransactionReceipt } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { applyTrigger } from "../../requests/applyTrigger.ts";
import { noteOf } from "../../requests/forceOutcome.ts";
import { addRequestHash } from "../../requests/insertRequest.ts";
import { isPostgres } from "../../store/dialect/columnTypes.ts";
import type { Tables, TransactionRow } from "../../store/tables.ts";
import { failReorged } from "../deposits/reorg.ts";
import { measureDelivered } from "../receipts/measureDelivered.ts";
import { isOutdated } from "../receipts/searchedBlocks.ts";
import { heldBackTransactions } from "./heldBackTransactions.ts";
import { minedColumns, type Outcome, readOutcome, send } from "./readOutcome.ts";

/** Polls of pending transactions, kept in memory. After a restart every transaction is polled once more. */
export type ReceiptPolls = {
  /** Hash of the chain's head at each transaction's last poll. The next head starts another poll. */
  readonly heads: Map<string, Hex>;
  rounds: number;
};

/** Interval, in rounds, of polls of all pending transactions. Transactions that a node dropped are resent. */
const pollAllEvery = 8;

/** Creates empty polls: every transaction is due. */
export function createReceiptPolls(): ReceiptPolls {
  return { heads: new Map(), rounds: 0 };
}

/**
 * Sends the stored transactions that are not mined yet, and records the outcome of mined ones. Idempotent: the
 * bytes are the same each time, and a chain mines a nonce once. A payment for a deposit waits until that
 * deposit's cancels are settled.
 *
 * @returns Whether a transaction reverted: a refund may then be due on another chain.
 */
export async function settleAll(chain: Chain, context: Context, polls: ReceiptPolls): Promise<boolean> {
  // Pending transactions of all chains: a payment here may wait for a cancel on another chain.
  const all = await underWay(context);
  const rows = all.filter(({ chain_id }) => chain_id === chain.definition.id);
  if (++polls.rounds % pollAllEvery === 0 || rows.length === 0) polls.heads.clear();
  if (rows.length === 0) return false;
  const outcomes = await settleChain(chain, rows, heldBackTransactions(all), context, polls);
  const mined = outcomes.toSorted((a, b) => a.row.id - b.row.id);
  if (mined.length === 0) return false;
  const at = context.now();
  await context.store.transaction().execute(async (transaction) => {
    for (const outcome of mined) {
      if (await isOutdated(transaction, chain, outcome.receipt)) continue;
      await record(transaction, outcome, context, at);
    }
  });
  for (const { row } of mined) polls.heads.delete(row.hash);
  return mined.some(({ failure }) => failure !== undefined);
}

/** The solver's pending transactions on all chains. */
async function underWay({ store }: Pick<Context, "store">): Promise<readonly TransactionRow[]> {
  return store
    .selectFrom("transactions")
    .selectAll()
    .where("state", "=", "signed")
    .where("replaced_by", "is", null)
    .orderBy("nonce")
    .execute();
}

/** Sends transactions one by one, because automining nodes accept nonces only in order; polls in parallel. */
async function settleChain(
  chain: Chain,
  rows: readonly TransactionRow[],
  waiting: ReadonlySet<TransactionRow>,
  context: Context,
  polls: ReceiptPolls,
): Promise<readonly Outcome[]> {
  const { hash: head } = chain.head();
  const isNew = (row: TransactionRow) => !polls.heads.has(row.hash);
  const looked = rows.filter((row) => !isNew(row) && polls.heads.get(row.hash) !== head);
  const early = await Promise.all(looked.map((row) => readOutcome(chain, row)));
  const unmined = looked.filter((_, index) => early[index] === undefined);
  const due = rows.filter((row) => isNew(row) || unmined.includes(row));
  // Transactions after the first one held back have later nonces, and wait too.
  const first = due.findIndex((row) => waiting.has(row));
  for (const row of first < 0 ? due : due.slice(0, first)) {
    if (await send(chain, row, context)) polls.heads.set(row.hash, head);
  }
  const late = await Promise.all(due.map((row) => readOutcome(chain, row)));
  return [...early, ...late].filter((outcome) => outcome !== undefined);
}

async function record(
  transaction: Transaction<Tables>,
  outcome: Outcome,
  { chains }: Pick<Context, "chains">,
  at: number,
): Promise<void> {
  const { failure, receipt, row } = outcome;
  const { numUpdatedRows } = await transaction
    .updateTable("transactions")
    .set(minedColumns(outcome))
    .where("id", "=", row.id)
    .where("state", "=", "signed")
    .where("replaced_by", "is", null)
    .executeTakeFirstOrThrow();
  // Another process recorded or replaced the transaction first.
  if (numUpdatedRows === 0n) return;
  if (row.kind === "cancel") return;
  await addRequestHash(transaction, { hash: row.hash, kind: row.kind, request_id: row.request_id });
  const deposit = await transaction
    .selectFrom("deposits")
    .select(["amount", "at", "block_number", "chain_id", "currency", "outcome", "tx_hash"])
    .where("id", "=", row.deposit_id)
    .$if(isPostgres(transaction), (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  const isUnpaid = row.kind === "fill" && deposit.outcome !== "accepted";
  if (failure !== undefined) {
    await recordReverted(transaction, row, receipt, failure, deposit.outcome, at);
    if (isUnpaid) await failReorged(transaction, row.request_id, deposit, at);
    return;
  }
  const note = noteOf(row);
  const delivered = await measureDelivered(transaction, row, deposit, receipt, chains);
  const change =
    row.kind === "fill"
      ? ({ ...note, delivered, fillTimeMs: Math.max(0, at - deposit.at), trigger: "fill-succeeded" } as const)
      : ({ ...note, delivered, trigger: "refund-succeeded" } as const);
  await applyTrigger(transaction, row.request_id, { ...change, txHash: row.hash }, at);
  if (isUnpaid) await failReorged(transaction, row.request_id, deposit, at);
}

async function recordReverted(
  transaction: Transaction<Tables>,
  row: TransactionRow,
  { blockNumber }: TransactionReceipt,
  { call, revert }: NonNullable<Outcome["failure"]>,
  outcome: string,
  at: number,
): Promise<void> {
  const isFill = row.kind === "fill";
  // A removed deposit is not refunded.
  if (outcome !== "vanished") {
    await transaction
      .updateTable("deposits")
      .set(
        isFill
          ? { outcome: "refused", reason: "TRANSACTION_REVERTED", todo: "refund" }
          : { outcome: "abandoned" },
      )
      .where("id", "=", row.deposit_id)
      .execute();
  }
  const failed = {
    details: revert.message,
    failedCall: call,
    failedTx: { blockNumber: Number(blockNumber), hash: row.hash },
    txHash: row.hash,
  };
  await applyTrigger(
    transaction,
    row.request_id,
    isFill
      ? { ...failed, failReason: "TRANSACTION_REVERTED", trigger: "fill-failed" }
      : { ...failed, trigger: "refund-failed" },
    at,
  );
}
