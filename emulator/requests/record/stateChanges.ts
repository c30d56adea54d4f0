import type { RecordAmount } from "../../../src/schema/record/recordAmount.ts";
import { accountText } from "../../chains/accountText.ts";
import { isEvmChain, isSvmChain } from "../../context/places.ts";
import { isVanished } from "../../store/tables/paymentTables.ts";
import type { DepositRow, SameChainTransactionRow, TransactionRow } from "../../store/tables.ts";
import type { RequestParts } from "./RequestParts.ts";
import { delivered, paid, refunded } from "./recordAmounts.ts";
import { sentTransaction } from "./sentTransaction.ts";

/** A change of one account's balance by a transaction. */
export type StateChange = {
  readonly address: string;
  readonly change: {
    readonly kind: "token";
    readonly data: { readonly tokenKind: "ft"; readonly tokenAddress: string };
    /** Smallest units, negative for a loss, without the transaction's fee. */
    readonly balanceDiff: string;
  };
};

/** The balances that a deposit changed: the depositor's, and the depository's or the solver's. */
export function depositChanges(parts: RequestParts, row: DepositRow): readonly StateChange[] {
  if (isVanished(row)) return [];
  const place = parts.chains.get(row.chain_id);
  const isDeposited = place !== undefined && isEvmChain(place) && row.tag === parts.request.order_id;
  const receiver = isDeposited ? place.contracts.depository : solverOf(parts, row.chain_id);
  // If the payer's transaction swapped first, its input was measured.
  const spent = row.paid === null ? moved(row.currency, row.amount) : movedAmount(paid(parts));
  return [...loss(row.depositor, spent), ...gain(receiver, moved(row.currency, row.amount))];
}

/** The balances that a payment of the solver changed: its own where it paid directly, and the payee's. */
export function paymentChanges(parts: RequestParts, row: TransactionRow): readonly StateChange[] {
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
    ...(isKept ? gain(isFill ? request.recipient : request.refund_to, arrived) : []),
  ];
}

/** The balances that a user's own transaction changed: the sender's and the recipient's. */
export function ownChanges(parts: RequestParts, row: SameChainTransactionRow): readonly StateChange[] {
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

/** The solver's account on a chain. */
export function solverOf({ chains, solver }: RequestParts, chainId: number): string {
  const place = chains.get(chainId);
  return place !== undefined && isSvmChain(place) ? place.solver : solver;
}
