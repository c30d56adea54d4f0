import { decodeFunctionData, erc20Abi, type Hex, parseTransaction, type TransactionSerialized } from "viem";
import { parseExchangeAmount } from "../../../src/perps/amounts.ts";
import type { ExchangeRequest } from "../../../src/schema/quote/exchangeAction.ts";
import type { RecordTransaction } from "../../../src/schema/record/recordTransaction.ts";
import { accountText } from "../../chains/accountText.ts";
import { formatUsd, usdOf } from "../../money/prices.ts";
import { readSigned, receivedAsset } from "../../perps/signAction.ts";
import type { DepositRow, SameChainTransactionRow, TransactionRow } from "../../store/tables.ts";
import type { RequestParts } from "./RequestParts.ts";

/** Transactions of a record. Its versions differ only in the name of the hash and in the fee in dollars. */
type RecordTransactions = {
  readonly inTxs: RecordTransaction[];
  readonly outTxs: RecordTransaction[];
};

/** Incoming and outgoing transactions, oldest first; a user's own transaction is both. */
export function recordTransactions(parts: RequestParts): RecordTransactions {
  const { deposits, own, solver, transactions } = parts;
  const both = own.map((row) => entryOf(parts, ownEntry(row)));
  return {
    inTxs: [...deposits.map((row) => entryOf(parts, incoming(row))), ...both],
    outTxs: [...transactions.map((row) => entryOf(parts, outgoing(row, solver))), ...both],
  };
}

type Entry = Pick<RecordTransaction, "data" | "status"> & {
  readonly row: Pick<DepositRow, "at" | "block_at" | "block_number" | "chain_id" | "fee"> | TransactionRow;
  readonly hash: string;
};

function entryOf(parts: RequestParts, { data, hash, row, status }: Entry): RecordTransaction {
  return {
    block: row.block_number,
    chainId: row.chain_id,
    data,
    fee: row.fee ?? undefined,
    feeUsd: feeUsd(parts, row),
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
  const { tx_data: data, tx_from: from, tx_hash: hash, tx_status: status, tx_to: to, tx_value: value } = row;
  const shown = { from: from && accountText(from), to: to && accountText(to) };
  return { data: { data, ...shown, value }, hash, row, status };
}

function outgoing(row: TransactionRow, from: string): Entry {
  const sent = sentTransaction(row);
  return {
    data: sent && { data: sent.data, from, to: sent.to, value: sent.value.toString() },
    hash: row.hash,
    row,
    status: row.state === "mined" ? "success" : "failure",
  };
}

/** A decoded transaction of the solver. */
type SentTransaction = {
  readonly to: string;
  readonly value: bigint;
  /** Calldata, or the posted JSON of an action on the exchange. */
  readonly data: string;
  /** Currency and amount of a plain transfer, native or of a token; `undefined` for any other call. */
  readonly transfer: { readonly currency: string; readonly amount: bigint } | undefined;
};

const native = "0x0000000000000000000000000000000000000000";
const transferSelector = "0xa9059cbb";

/** Decodes signed bytes; `undefined` unless they are a transaction. */
export function sentTransaction({ raw }: Pick<TransactionRow, "raw">): SentTransaction | undefined {
  const action = readSigned(raw);
  if (action !== undefined) return sentAction(raw, action);
  try {
    const { data = "0x", to, value = 0n } = parseTransaction(raw as TransactionSerialized);
    if (to === undefined || to === null) return undefined;
    return { data, to: to.toLowerCase(), transfer: transferOf(to.toLowerCase(), value, data), value };
  } catch {
    return undefined;
  }
}

function sentAction(raw: string, request: ExchangeRequest): SentTransaction {
  const { amount, destination } = request.action;
  const asset = receivedAsset(request);
  const transfer = asset && {
    amount: parseExchangeAmount({ amount, decimals: asset.decimals }),
    currency: asset.address,
  };
  return { data: raw, to: destination, transfer, value: 0n };
}

function transferOf(to: string, value: bigint, data: Hex): SentTransaction["transfer"] {
  if (data.startsWith(transferSelector)) {
    const { args = [] } = decodeFunctionData({ abi: erc20Abi, data });
    return { amount: args[1] as bigint, currency: to };
  }
  // A native transfer carries the requestId as 32 bytes of calldata.
  return value > 0n && data.length <= 66 ? { amount: value, currency: native } : undefined;
}
