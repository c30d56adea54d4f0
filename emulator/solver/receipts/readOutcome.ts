import { type Hex, parseTransaction, type TransactionReceipt, TransactionReceiptNotFoundError } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import { isTransportError } from "../../chains/evm/httpRpc.ts";
import type { Context } from "../../context/Context.ts";
import type { FailedCall } from "../../requests/applyTrigger.ts";
import { type Revert, revertReason } from "../../router/revertReason.ts";
import type { TransactionRow } from "../../store/tables.ts";

/** Fields of a stored transaction that sending and polling need. */
export type StoredTransaction = Pick<TransactionRow, "request_id" | "hash" | "raw"> & {
  readonly kind: string;
};

export type Outcome<Row extends StoredTransaction = TransactionRow> = {
  readonly row: Row;
  readonly receipt: TransactionReceipt;
  /** Timestamp of the block, in unix milliseconds. */
  readonly blockAt: number;
  /** The failed call and its decoded revert; `undefined` if the transaction succeeded. */
  readonly failure: { readonly call: FailedCall; readonly revert: Revert } | undefined;
};

/**
 * Broadcasts the raw transaction. Nodes reject transactions they already know, so look it up before reporting a
 * failure.
 */
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
      (error: unknown) => {
        // The rest of the round would wait for the same node, one timeout after another.
        if (isTransportError(error)) throw error;
        return false;
      },
    );
    if (!isThere) {
      log({ cause, level: "error", message: `the node rejected a ${row.kind}`, requestId: row.request_id });
    }
    return isThere;
  }
}

/** Reads the outcome of a transaction; `undefined` until it is mined. */
export async function readOutcome<Row extends StoredTransaction>(
  chain: Chain,
  row: Row,
): Promise<Outcome<Row> | undefined> {
  const receipt = await chain.client
    .getTransactionReceipt({ hash: row.hash as Hex })
    .catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined;
      throw error;
    });
  // The next block starts another poll.
  if (receipt === undefined) return undefined;
  const head = chain.head();
  const timestamp =
    head.hash === receipt.blockHash
      ? head.timestamp
      : (await chain.client.getBlock({ blockHash: receipt.blockHash })).timestamp;
  const failure = receipt.status === "success" ? undefined : await replay(chain, row, receipt);
  return { blockAt: Number(timestamp) * 1_000, failure, receipt, row };
}

/** Replays a reverted transaction on the state before its block. */
async function replay(chain: Chain, row: StoredTransaction, { blockNumber, from }: TransactionReceipt) {
  const sent = parseTransaction(row.raw as Hex);
  const { data = "0x", gas, to, value = 0n } = sent;
  const call = { data, from, to: to ?? from, value };
  const authorizationList = "authorizationList" in sent ? sent.authorizationList : undefined;
  const revert = await chain.client
    .call({
      account: from,
      blockNumber: blockNumber - 1n,
      data,
      gas,
      to: call.to,
      value,
      ...(authorizationList && { authorizationList }),
    })
    .then(
      (): Revert => ({ message: "The transaction reverted, but succeeds on the state before its block" }),
      (error: unknown) => {
        if (isTransportError(error)) throw error;
        return revertReason(error);
      },
    );
  return { call, revert };
}

/** Columns of a transaction that is not mined. */
export const unmined = { block_at: null, block_hash: null, block_number: null, fee: null, gas_used: null };

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
