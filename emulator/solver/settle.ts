import type { Transaction } from "kysely";
import {
  type Address,
  type Hex,
  parseTransaction,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";
import type { Context } from "../Context.ts";
import type { Chain } from "../chains/Chain.ts";
import { applyTrigger, type FailedCall } from "../lifecycle/applyTrigger.ts";
import { sentTransaction } from "../records/sentTransaction.ts";
import { addRequestHash } from "../store/addRequestHash.ts";
import { isPostgres } from "../store/columnTypes.ts";
import { parseIntent } from "../store/Intent.ts";
import type { DepositRow, Tables, TransactionRow } from "../store/tables.ts";
import { endOvertaken } from "./cancel.ts";
import { deliveredByFill, deliveredByRefund } from "./deliveredBy.ts";
import type { Note } from "./Plan.ts";
import { type Revert, revertOf } from "./revertOf.ts";

/** What was seen of transactions that are under way. It may be lost: then they are looked for once more. */
export type Looks = {
  /** The newest block at which each was looked for last, by its hash: before the next one there is no news. */
  readonly heads: Map<string, Hex>;
  rounds: number;
};

/** Once in so many rounds all are looked for, and those that a node has forgotten sent again. */
const lookAgainEvery = 8;

/** Nothing has been looked for yet. */
export function createLooks(): Looks {
  return { heads: new Map(), rounds: 0 };
}

/** What sending a stored transaction and looking for it depends on. */
export type StoredTransaction = Pick<TransactionRow, "request_id" | "hash" | "raw"> & {
  readonly kind: string;
};

/** A stored transaction that was mined. */
export type Outcome<Row extends StoredTransaction = TransactionRow> = {
  readonly row: Row;
  readonly receipt: TransactionReceipt;
  /** When its block says it was made, in unix milliseconds. */
  readonly blockAt: number;
  /** Why it reverted, if it did. */
  readonly failure: { readonly call: FailedCall; readonly revert: Revert } | undefined;
};

/**
 * Sends the stored transactions that their chains have not got, and records the outcome of those that were mined. Safe to
 * repeat: the bytes are the same each time, and a chain mines a nonce once.
 */
export async function settleAll(context: Context, looks: Looks): Promise<void> {
  const rows = await context.store
    .selectFrom("transactions")
    .selectAll()
    .where("state", "=", "signed")
    .orderBy("nonce")
    .execute();
  if (++looks.rounds % lookAgainEvery === 0 || rows.length === 0) looks.heads.clear();
  if (rows.length === 0) return;
  const chainIds = [...new Set(rows.map(({ chain_id }) => chain_id))];
  const outcomes = await Promise.all(
    chainIds.map(async (id) => {
      const chain = context.chains.get(id);
      if (chain === undefined) throw new Error(`transactions are for chain ${id}, which is not here`);
      return settleChain(
        chain,
        rows.filter(({ chain_id }) => chain_id === id),
        context,
        looks,
      );
    }),
  );
  const mined = outcomes.flat().sort((a, b) => a.row.id - b.row.id);
  const isMined = new Set(mined.map(({ row }) => row.id));
  await endOvertaken(
    rows.filter(({ id }) => !isMined.has(id)),
    context,
  );
  if (mined.length === 0) return;
  const at = context.now();
  await context.store.transaction().execute(async (transaction) => {
    for (const outcome of mined) await record(transaction, outcome, context, at);
  });
  for (const { row } of mined) looks.heads.delete(row.hash);
}

/** Sends one after the other, because nodes that mine at once take no nonce before its turn; looks for all side by side. */
async function settleChain(
  chain: Chain,
  rows: readonly TransactionRow[],
  context: Context,
  looks: Looks,
): Promise<readonly Outcome[]> {
  const { hash: head } = chain.head();
  const isNew = (row: TransactionRow) => !looks.heads.has(row.hash);
  const looked = rows.filter((row) => !isNew(row) && looks.heads.get(row.hash) !== head);
  const early = await Promise.all(looked.map((row) => outcomeOf(chain, row)));
  const unmined = looked.filter((_, index) => early[index] === undefined);
  const sent = rows.filter((row) => isNew(row) || unmined.includes(row));
  for (const row of sent) {
    if (await send(chain, row, context)) looks.heads.set(row.hash, head);
  }
  const late = await Promise.all(sent.map((row) => outcomeOf(chain, row)));
  return [...early, ...late].filter((outcome) => outcome !== undefined);
}

/** Whether the node took it; one that has it already says no, and so does one that mined it. */
export async function send(
  chain: Chain,
  row: StoredTransaction,
  { log }: Pick<Context, "log">,
): Promise<boolean> {
  try {
    await chain.client.sendRawTransaction({ serializedTransaction: row.raw as Hex });
    return true;
  } catch (cause) {
    const isThere = await chain.client.getTransaction({ hash: row.hash as Hex }).then(
      () => true,
      () => false,
    );
    if (!isThere) {
      log({ cause, level: "error", message: `a ${row.kind} was not taken`, requestId: row.request_id });
    }
    return isThere;
  }
}

/** What became of a transaction; `undefined` as long as it is not mined. */
export async function outcomeOf<Row extends StoredTransaction>(
  chain: Chain,
  row: Row,
): Promise<Outcome<Row> | undefined> {
  const receipt = await chain.client
    .getTransactionReceipt({ hash: row.hash as Hex })
    .catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined;
      throw error;
    });
  // Not mined yet: it is looked for again at the next block.
  if (receipt === undefined) return undefined;
  const head = chain.head();
  const timestamp =
    head.hash === receipt.blockHash
      ? head.timestamp
      : (await chain.client.getBlock({ blockHash: receipt.blockHash })).timestamp;
  const failure = receipt.status === "success" ? undefined : await replay(chain, row, receipt);
  return { blockAt: Number(timestamp) * 1_000, failure, receipt, row };
}

/** Runs a transaction that reverted again, on the state before its block. */
async function replay(chain: Chain, row: StoredTransaction, { blockNumber, from }: TransactionReceipt) {
  const { data = "0x", to, value = 0n } = parseTransaction(row.raw as Hex);
  const call = { data, from, to: to ?? from, value };
  const revert = await chain.client
    .call({ account: from, blockNumber: blockNumber - 1n, data, to: call.to, value })
    .then(
      (): Revert => ({ message: "The transaction reverted; run on the state before its block it does not" }),
      revertOf,
    );
  return { call, revert };
}

/** What a stored transaction's row says once it is mined. */
export function minedColumns({ blockAt, failure, receipt }: Outcome<StoredTransaction>) {
  return {
    block_at: blockAt,
    block_hash: receipt.blockHash,
    block_number: Number(receipt.blockNumber),
    fee: (receipt.gasUsed * receipt.effectiveGasPrice).toString(),
    gas_used: Number(receipt.gasUsed),
    state: failure === undefined ? ("mined" as const) : ("reverted" as const),
  };
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
    .executeTakeFirstOrThrow();
  // Another process was quicker.
  if (numUpdatedRows === 0n) return;
  if (row.kind === "cancel") return;
  await addRequestHash(transaction, { hash: row.hash, kind: row.kind, request_id: row.request_id });
  const deposit = await transaction
    .selectFrom("deposits")
    .select(["amount", "at", "currency", "outcome"])
    .where("id", "=", row.deposit_id)
    .$if(isPostgres(transaction), (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  if (failure !== undefined) return recordReverted(transaction, row, receipt, failure, deposit.outcome, at);
  const note = row.note === null ? {} : (JSON.parse(row.note) as Note);
  const delivered = await deliveredOf(transaction, row, deposit, receipt, chains);
  const change =
    row.kind === "fill"
      ? ({ delivered, fillTimeMs: Math.max(0, at - deposit.at), trigger: "fill-succeeded" } as const)
      : ({ ...note, delivered, trigger: "refund-succeeded" } as const);
  await applyTrigger(transaction, row.request_id, { ...change, txHash: row.hash }, at);
}

/** What a fill or a refund brought; `undefined` where its transaction says so itself. */
async function deliveredOf(
  transaction: Transaction<Tables>,
  { chain_id, kind, raw, request_id }: TransactionRow,
  deposit: Pick<DepositRow, "amount" | "currency">,
  { logs }: TransactionReceipt,
  chains: Context["chains"],
): Promise<bigint | undefined> {
  const { intent } = await transaction
    .selectFrom("requests")
    .select("intent")
    .where("id", "=", request_id)
    .executeTakeFirstOrThrow();
  const chain = chains.get(chain_id);
  if (chain === undefined) throw new Error(`chain ${chain_id} is not here`);
  if (kind === "fill") return deliveredByFill(parseIntent(intent), BigInt(deposit.amount), chain, logs);
  const sent = sentTransaction({ raw });
  const currency = deposit.currency as Address;
  const refund = { currency, isTransfer: sent?.transfer !== undefined, value: sent?.value ?? 0n };
  return deliveredByRefund(parseIntent(intent), refund, chain, logs);
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
  // What is not on its chain any more does not go back.
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
