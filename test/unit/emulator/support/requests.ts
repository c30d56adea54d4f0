import type { Insertable, Selectable } from "kysely";
import type { Hex } from "viem";
import { type Intent, serializeIntent } from "../../../../emulator/requests/Intent.ts";
import { openStore } from "../../../../emulator/store/openStore.ts";
import type {
  DepositRow,
  RequestRow,
  Store,
  Tables,
  TransactionRow,
} from "../../../../emulator/store/tables.ts";
import { recipient, user } from "./fakeChains.ts";

export const requestId = `0x${"a1".repeat(32)}` as const;
export const orderId = `0x${"b2".repeat(32)}` as const;
const depositId = "31337:0x01:0";

export const intent: Intent = {
  appFees: [],
  deposit: {
    amount: 100n,
    currency: "0x0000000000000000000000000000000000000000",
    minimumAmount: 100n,
    via: "depository",
  },
  destination: {
    amount: 99n,
    chainId: 31338,
    currency: "0x0000000000000000000000000000000000000000",
    minimumAmount: 98n,
  },
  expiresAt: 604_801_000,
  fill: {
    amount: 99n,
    currency: "0x0000000000000000000000000000000000000000",
    maximumAmount: 99n,
    path: [],
  },
  kind: "Bridge",
  orderId,
  origin: { amount: 100n, chainId: 31337, currency: "0x0000000000000000000000000000000000000000" },
  own: null,
  recipient,
  refundTo: user,
  requestId,
  routerVersion: "v3",
  slippageBps: 200,
  tradeType: "EXACT_INPUT",
  txs: [],
  txsGasLimit: null,
  useExternalLiquidity: false,
  user,
};

/** A request that waits for its deposit, by default. */
export function requestRow(row: Partial<RequestRow> = {}): RequestRow {
  return {
    amount_usd: 250_000,
    api_key_id: null,
    app_fees_usd: 0,
    sponsored_usd: null,
    created_at: 1_000,
    currency_in: intent.origin.currency,
    currency_in_symbol: "ETH",
    currency_out: intent.destination.currency,
    currency_out_symbol: "ETH",
    deposit_address: null,
    destination_chain_id: intent.destination.chainId,
    details: null,
    expires_at: null,
    fail_reason: null,
    failed_call: null,
    failed_tx_block: null,
    failed_tx_hash: null,
    delivered: null,
    features: 0,
    fill_time_ms: null,
    id: requestId,
    intent: serializeIntent(intent),
    order_id: orderId,
    origin_block: null,
    origin_chain_id: intent.origin.chainId,
    partner_id: null,
    parent_id: null,
    quote: "{}",
    recipient,
    referrer: null,
    refund_fail_reason: null,
    refund_to: user,
    request_type: "Bridge",
    route_id: null,
    sender: user,
    status: "waiting",
    updated_at: 1_000,
    user,
    ...row,
  };
}

/** A deposit whose fill is signed, by default. */
export function depositRow(row: Partial<DepositRow> = {}): DepositRow {
  return {
    amount: "100",
    at: 2_000,
    block_at: null,
    block_hash: null,
    block_number: 7,
    chain_id: 31337,
    claimed_until: null,
    currency: "0x0000000000000000000000000000000000000000",
    depositor: user.toLowerCase(),
    fee: null,
    id: depositId,
    not_before: null,
    reason: null,
    paid: null,
    request_id: requestId,
    source: "payment",
    state: "fill-signed",
    tag: orderId,
    tx_data: null,
    tx_from: null,
    tx_hash: "0x01",
    tx_to: null,
    tx_value: null,
    ...row,
  };
}

type NewTransaction = Omit<TransactionRow, "id">;

/** The fill of that deposit, signed and not sent by default. */
export function transactionRow(row: Partial<NewTransaction> = {}): NewTransaction {
  return {
    at: 3_000,
    block_at: null,
    block_hash: null,
    block_number: null,
    chain_id: 31338,
    deposit_id: depositId,
    details: null,
    fee: null,
    gas_used: null,
    hash: "0xf1",
    kind: "fill",
    nonce: 0,
    raw: "0x02",
    refund_fail_reason: null,
    replaced_by: null,
    request_id: requestId,
    state: "signed",
    tx_data: null,
    ...row,
  };
}

/** The `index`-th of many ids. */
export function idOf(index: number): Hex {
  return `0x${index.toString(16).padStart(64, "0")}`;
}

/** Opens an empty database in memory. */
export async function emptyStore(): Promise<Store> {
  return (await openStore(":memory:")).store;
}

/** Stores a row of {@link requestRow}. */
export async function addRequest(store: Store, row: Partial<RequestRow> = {}): Promise<void> {
  await store.insertInto("requests").values(requestRow(row)).execute();
}

/** Stores a row of {@link depositRow}. */
export async function addDeposit(store: Store, row: Partial<DepositRow> = {}): Promise<void> {
  await store.insertInto("deposits").values(depositRow(row)).execute();
}

/** Stores a row of {@link transactionRow} and returns its id. */
export async function addTransaction(store: Store, row: Partial<NewTransaction> = {}): Promise<number> {
  const values = transactionRow(row);
  const { id } = await store
    .insertInto("transactions")
    .values(values)
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Stores an event, of {@link requestId} by default, and returns its number. */
export async function addEvent(
  store: Store,
  row: Partial<Insertable<Tables["events"]>> = {},
): Promise<number> {
  const values = {
    at: 1,
    data: "{}",
    request_id: requestId,
    status: "waiting",
    trigger: "quoted",
    ...row,
  } as const;
  const { seq } = await store.insertInto("events").values(values).returning("seq").executeTakeFirstOrThrow();
  return seq;
}

/** Reads a whole table, in the order of a column if one is given. */
export async function readAll<Name extends keyof Tables>(
  store: Store,
  table: Name,
  order?: string & keyof Tables[Name],
): Promise<Selectable<Tables[Name]>[]> {
  const query = store.selectFrom(table as "requests").selectAll();
  const ordered = order === undefined ? query : query.orderBy(order as "id");
  return (await ordered.execute()) as unknown as Selectable<Tables[Name]>[];
}

/** Reads the only request. */
export async function readRequest(store: Store): Promise<RequestRow> {
  return store.selectFrom("requests").selectAll().executeTakeFirstOrThrow();
}

/** Reads the triggers of all events in the order of the log. */
export async function readTriggers(store: Store): Promise<string[]> {
  return (await readAll(store, "events", "seq")).map(({ trigger }) => trigger);
}
