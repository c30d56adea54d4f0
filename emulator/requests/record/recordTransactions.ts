import type { RecordAmount } from "../../../src/schema/record/recordAmount.ts";
import type { RecordTransaction } from "../../../src/schema/record/recordTransaction.ts";
import { accountText } from "../../chains/accountText.ts";
import { isEvmChain, isSvmChain } from "../../context/places.ts";
import { formatUsd, usdOf } from "../../money/prices.ts";
import { isVanished } from "../../store/tables/paymentTables.ts";
import type { DepositRow, SameChainTransactionRow, TransactionRow } from "../../store/tables.ts";
import type { RequestParts } from "./RequestParts.ts";
import { delivered, paid, refunded } from "./recordAmounts.ts";
import { sentTransaction } from "./sentTransaction.ts";

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

/** A change of one account's balance by a transaction. */
type StateChange = {
  readonly address: string;
  readonly change: {
    readonly kind: "token";
    readonly data: { readonly tokenKind: "ft"; readonly tokenAddress: string };
    /** Smallest units, negative for a loss, without the transaction's fee. */
    readonly balanceDiff: string;
  };
};

/** The balances that a deposit changed: the depositor's, and the depository's or the solver's. */
function depositChanges(parts: RequestParts, row: DepositRow): readonly StateChange[] {
  if (isVanished(row)) return [];
  const place = parts.chains.get(row.chain_id);
  const isDeposited = place !== undefined && isEvmChain(place) && row.tag === parts.request.order_id;
  const receiver = isDeposited ? place.contracts.depository : solverOf(parts, row.chain_id);
  // If the payer's transaction swapped first, its input was measured.
  const spent = row.paid === null ? moved(row.currency, row.amount) : movedAmount(paid(parts));
  return [...loss(row.depositor, spent), ...gain(receiver, moved(row.currency, row.amount))];
}

/** The balances that a payment of the solver changed: its own where it paid directly, and the payee's. */
function paymentChanges(parts: RequestParts, row: TransactionRow): readonly StateChange[] {
  if (row.state !== "mined") return [];
  const { request } = parts;
  const transfer = sentTransaction(row, parts)?.transfer;
  const spent = transfer && moved(transfer.currency, transfer.amount.toString());
  const isFill = row.kind === "fill";
  const arrived = movedAmount(isFill ? delivered(parts) : refunded(parts));
  // Calls spend the output themselves.
  const isKept = !isFill || request.request_type !== "Call";
  return [
    ...loss(solverOf(parts, row.chain_id), spent),
    ...(isKept ? gain(isFill ? request.recipient : (request.refund_to ?? request.user), arrived) : []),
  ];
}

/** The balances that a user's own transaction changed: the sender's and the recipient's. */
function ownChanges(parts: RequestParts, row: SameChainTransactionRow): readonly StateChange[] {
  if (row.status === "failure") return [];
  const isKept = parts.request.request_type !== "Call";
  return [
    ...loss(row.from_address, movedAmount(paid(parts))),
    ...(isKept ? gain(parts.request.recipient, movedAmount(delivered(parts))) : []),
  ];
}

type Moved = { readonly currency: string; readonly amount: string };

function moved(currency: string, amount: string): Moved {
  return { amount, currency: accountText(currency) };
}

function movedAmount(amount: RecordAmount | undefined): Moved | undefined {
  const { address } = amount?.currency ?? {};
  return address === undefined || amount?.amount === undefined ? undefined : moved(address, amount.amount);
}

function loss(address: string, spent: Moved | undefined): readonly StateChange[] {
  return gain(address, spent && { ...spent, amount: `-${spent.amount}` });
}

function gain(address: string, arrived: Moved | undefined): readonly StateChange[] {
  if (arrived === undefined || BigInt(arrived.amount) === 0n) return [];
  const data = { tokenAddress: arrived.currency, tokenKind: "ft" } as const;
  const change = { balanceDiff: arrived.amount, data, kind: "token" } as const;
  return [{ address: accountText(address.toLowerCase()), change }];
}

function solverOf({ chains, solver }: RequestParts, chainId: number): string {
  const place = chains.get(chainId);
  return place !== undefined && isSvmChain(place) ? place.solver : solver;
}
