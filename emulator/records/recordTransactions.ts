import type { RecordTransaction } from "../../src/schema/recordTransaction.ts";
import type { DepositRow, OwnTransactionRow, TransactionRow } from "../store/tables.ts";
import type { RequestParts } from "./RequestParts.ts";
import { sentTransaction } from "./sentTransaction.ts";

/** Transactions of a record that differ between its versions in the name of the hash only. */
export type RecordTransactions = {
  readonly inTxs: RecordTransaction[];
  readonly outTxs: RecordTransaction[];
};

/** What came in and what went out, oldest first; a user's own transaction is both. */
export function recordTransactions({ deposits, own, quote, transactions }: RequestParts): RecordTransactions {
  const solver = quote.protocol?.v2?.orderData?.solver;
  return {
    inTxs: [...deposits.map(incoming), ...own.map(both)],
    outTxs: [...transactions.map((row) => outgoing(row, solver)), ...own.map(both)],
  };
}

function both(row: OwnTransactionRow): RecordTransaction {
  return {
    block: row.block_number,
    chainId: row.chain_id,
    data: { data: row.tx_data, from: row.from_address, value: row.value },
    fee: row.fee,
    stateChanges: null,
    status: row.status,
    timestamp: seconds(row.block_at),
    txHash: row.hash,
    type: "onchain",
  };
}

function incoming(row: DepositRow): RecordTransaction {
  return {
    block: row.block_number,
    chainId: row.chain_id,
    data: { amount: row.amount, currency: row.currency, data: row.tx_data ?? "0x", from: row.depositor },
    fee: row.fee ?? undefined,
    stateChanges: json(row.state_changes),
    status: row.tx_status,
    timestamp: seconds(row.block_at ?? row.at),
    txHash: row.tx_hash,
    type: "onchain",
  };
}

function outgoing(row: TransactionRow, solver: string | undefined): RecordTransaction {
  const sent = sentTransaction(row);
  return {
    block: row.block_number,
    chainId: row.chain_id,
    data: {
      ...(solver !== undefined && { from: solver }),
      ...(sent !== undefined && { data: sent.data, to: sent.to, value: sent.value.toString() }),
    },
    fee: row.fee ?? undefined,
    stateChanges: json(row.state_changes),
    status: row.state === "mined" ? "success" : "failure",
    timestamp: seconds(row.block_at ?? row.at),
    txHash: row.hash,
    type: "onchain",
  };
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}

function json(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}
