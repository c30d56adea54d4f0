import type { RecordTransaction } from "../../../src/schema/record/recordTransaction.ts";
import { accountText } from "../../chains/accountText.ts";
import { formatUsd, usdOf } from "../../money/prices.ts";
import { isVanished } from "../../store/tables/paymentTables.ts";
import type { DepositRow, SameChainTransactionRow, TransactionRow } from "../../store/tables.ts";
import type { RequestParts } from "./RequestParts.ts";
import { sentTransaction } from "./sentTransaction.ts";
import { depositChanges, ownChanges, paymentChanges, type StateChange, solverOf } from "./stateChanges.ts";

/** Transactions of a record. Its versions differ only in the name of the hash and in the fee in dollars. */
type RecordTransactions = {
  readonly inTxs: RecordTransaction[];
  readonly outTxs: RecordTransaction[];
};

/** Incoming and outgoing transactions, oldest first; a user's own transaction is both. */
export function recordTransactions(parts: RequestParts): RecordTransactions {
  const { deposits, own, transactions } = parts;
  const both = own.map((row) => entryOf(parts, { ...ownEntry(row), stateChanges: ownChanges(parts, row) }));
  return {
    inTxs: [
      ...deposits.map((row) =>
        entryOf(parts, { ...incoming(row), stateChanges: depositChanges(parts, row) }),
      ),
      ...both,
    ],
    outTxs: [
      ...transactions.map((row) =>
        entryOf(parts, { ...outgoing(parts, row), stateChanges: paymentChanges(parts, row) }),
      ),
      ...both,
    ],
  };
}

type Entry = Pick<RecordTransaction, "data" | "status"> & {
  readonly row: Pick<DepositRow, "at" | "block_at" | "block_number" | "chain_id" | "fee"> | TransactionRow;
  readonly hash: string;
};

function entryOf(
  parts: RequestParts,
  { data, hash, row, stateChanges, status }: Entry & { readonly stateChanges: readonly StateChange[] },
): RecordTransaction {
  return {
    block: row.block_number,
    chainId: row.chain_id,
    data,
    fee: row.fee ?? undefined,
    feeUsd: feeUsd(parts, row),
    stateChanges,
    status,
    timestamp: Math.floor((row.block_at ?? row.at) / 1_000),
    txHash: hash,
    type: "onchain",
  };
}

/** Cost of the transaction in dollars, at the price of that moment. */
export function feeUsd(
  { chains, prices }: Pick<RequestParts, "chains" | "prices">,
  { at, chain_id, fee }: Pick<DepositRow, "at" | "chain_id" | "fee">,
): string | undefined {
  const [native] = chains.get(chain_id)?.currencies ?? [];
  if (fee === null || native === undefined) return undefined;
  return formatUsd(usdOf(BigInt(fee), prices.priced(native, at)));
}

function ownEntry(row: SameChainTransactionRow): Entry {
  const { from_address: from, hash, status, tx_data: data, tx_to: to, value } = row;
  return { data: { data, from, to, value }, hash, row, status };
}

/** The mined deposit transaction. Its sender is the payer, who need not be the user. */
function incoming(row: DepositRow): Entry {
  const { tx_data: data, tx_from: from, tx_hash: hash, tx_to: to, tx_value: value } = row;
  const shown = { from: from && accountText(from), to: to && accountText(to) };
  return { data: { data, ...shown, value }, hash, row, status: isVanished(row) ? "failure" : "success" };
}

function outgoing(parts: RequestParts, row: TransactionRow): Entry {
  const sent = sentTransaction(row, parts);
  const from = accountText(solverOf(parts, row.chain_id));
  return {
    data: sent && { data: sent.data, from, to: sent.to, value: sent.value.toString() },
    hash: row.hash,
    row,
    status: row.state === "mined" ? "success" : "failure",
  };
}
