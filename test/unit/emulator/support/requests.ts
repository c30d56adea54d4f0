import { type Intent, serializeIntent } from "../../../../emulator/store/Intent.ts";
import { openStore, type Store } from "../../../../emulator/store/openStore.ts";
import { sqliteDialect } from "../../../../emulator/store/sqlite.ts";
import type { DepositRow, NewRequestRow, TransactionRow } from "../../../../emulator/store/tables.ts";
import { recipient, user } from "./fakeChains.ts";

export const requestId = `0x${"a1".repeat(32)}` as const;
export const orderId = `0x${"b2".repeat(32)}` as const;
export const depositId = "31337:0x01:0";

export const intent: Intent = {
  destination: {
    amount: 99n,
    chainId: 31338,
    currency: "0x0000000000000000000000000000000000000000",
    minimumAmount: 98n,
  },
  orderId,
  origin: { amount: 100n, chainId: 31337, currency: "0x0000000000000000000000000000000000000000" },
  recipient,
  refundTo: user,
  requestId,
  tradeType: "EXACT_INPUT",
  txs: [],
  user,
};

/** A database of its own, up to date and empty. */
export async function emptyStore(): Promise<Store> {
  return openStore(sqliteDialect(":memory:"));
}

/** A request that waits for its deposit, unless told otherwise. */
export function requestRow(row: Partial<NewRequestRow> = {}): NewRequestRow {
  return {
    created_at: 1_000,
    destination_chain_id: intent.destination.chainId,
    details: null,
    fail_reason: null,
    id: requestId,
    intent: serializeIntent(intent),
    order_id: orderId,
    origin_chain_id: intent.origin.chainId,
    recipient,
    refund_fail_reason: null,
    status: "waiting",
    updated_at: 1_000,
    user,
    ...row,
  };
}

/** A deposit that is to be filled, unless told otherwise. */
export function depositRow(row: Partial<DepositRow> = {}): DepositRow {
  return {
    amount: "100",
    at: 2_000,
    block_number: 7,
    chain_id: 31337,
    currency: "0x0000000000000000000000000000000000000000",
    depositor: user.toLowerCase(),
    id: depositId,
    outcome: "accepted",
    reason: null,
    request_id: requestId,
    tag: orderId,
    tx_hash: "0x01",
    ...row,
  };
}

/** The fill of that deposit, signed and not sent, unless told otherwise. */
export function transactionRow(row: Partial<Omit<TransactionRow, "id">> = {}): Omit<TransactionRow, "id"> {
  return {
    at: 3_000,
    chain_id: 31338,
    deposit_id: depositId,
    hash: "0xf1",
    kind: "fill",
    nonce: 0,
    raw: "0x02",
    request_id: requestId,
    state: "signed",
    ...row,
  };
}
