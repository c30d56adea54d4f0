import {
  type Address,
  type Hex,
  isHash,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from "viem";
import * as z from "zod";
import { requestStatuses } from "../../../../src/schema/request/requestStatus.ts";
import { decodeSvmAddress } from "../../../../src/svm/address.ts";
import { accountText } from "../../../chains/accountText.ts";
import type { Chain } from "../../../chains/Chain.ts";
import { balanceOf } from "../../../chains/rpc.ts";
import type { SvmChain } from "../../../chains/svm/SvmChain.ts";
import { findSvmEntry, type SvmEntry, svmTransactionsBetween } from "../../../chains/svm/svmHistory.ts";
import { svmParts } from "../../../chains/svm/svmParts.ts";
import { isEvmChain, isSvmChain, type Place, vmTypeOf } from "../../../context/places.ts";
import { currencyText } from "../../../currencies/currencyId.ts";
import type { ExchangeActionRow, Store } from "../../../store/tables.ts";

export const requestsSchema = z.array(z.strictObject({ id: z.string(), status: z.enum(requestStatuses) }));
export const balanceSchema = { currency: z.string(), decimals: z.int(), symbol: z.string() };

/** A transaction in a list. Amounts are of the native currency, in smallest units; times are Unix milliseconds. */
const entry = {
  at: z.int().nullable(),
  block: z.int().nullable(),
  from: z.string().nullable(),
  hash: z.string(),
  /** Selector of the called function, or name of the exchange's action. */
  method: z.string().nullable(),
  to: z.string().nullable(),
  value: z.string(),
};
type Entry = z.output<z.ZodObject<typeof entry>>;

/** A call as the node's call tracer has it: `CALL`, `DELEGATECALL`, `STATICCALL`, `CREATE` and so on. */
export const callFrameSchema = z.object({
  get calls() {
    return z.array(callFrameSchema).optional();
  },
  error: z.string().optional(),
  from: z.string(),
  /** Calldata, or the code that creates a contract. */
  input: z.string(),
  /** Return data, or revert data with an error. */
  output: z.string().optional(),
  to: z.string().optional(),
  type: z.string(),
  value: z.string().optional(),
});

export const transactionSchema = z.strictObject({
  ...entry,
  /** Balances that changed, before and after the transaction's block; of an EVM chain only if the node keeps states. */
  balances: z.array(
    z.strictObject({ ...balanceSchema, account: z.string(), after: z.string(), before: z.string() }),
  ),
  data: z.string().nullable(),
  error: z.string().nullable(),
  events: z.array(z.strictObject({ address: z.string(), data: z.string(), topics: z.array(z.string()) })),
  fee: z.string().nullable(),
  logs: z.array(z.string()),
  nonce: z.int().nullable(),
  /** The requests that it paid, filled or refunded. */
  requests: requestsSchema,
  status: z.enum(["pending", "success", "failure"]),
  /** The calls inside it; `null` if the node does not trace. */
  trace: callFrameSchema.nullable(),
});
type Transaction = z.output<typeof transactionSchema>;

/** Newest first: blocks, slots with a transaction, or actions of the exchange. */
export const blocksSchema = z.array(
  z.strictObject({
    at: z.int(),
    hash: z.string(),
    number: z.int(),
    transactions: z.array(z.strictObject(entry)),
  }),
);
type Blocks = z.output<typeof blocksSchema>;

/** Blocks before a number. */
type Page = { readonly before: number; readonly limit: number };

/** The newest blocks of any kind of ledger. */
export function blocksOf(place: Place, page: Page, store: Store): Promise<Blocks> {
  if (isEvmChain(place)) return evmBlocks(place, page);
  return isSvmChain(place) ? svmBlocks(store, page) : exchangeBlocks(store, page);
}

/** The newest block or slot, or the number of actions of the exchange. */
export async function heightOf(place: Place, store: Store): Promise<number> {
  if (isEvmChain(place)) return Number(place.head().number);
  if (isSvmChain(place)) return Number((await svmParts(place).ledger.head()).slot);
  const { count } = await store
    .selectFrom("exchange_actions")
    .select((row) => row.fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function evmBlocks({ client }: Chain, { before, limit }: Page): Promise<Blocks> {
  const numbers = Array.from({ length: Math.min(limit, before) }, (_, place) => before - 1 - place);
  const blocks = await Promise.all(
    numbers.map((number) => client.getBlock({ blockNumber: BigInt(number), includeTransactions: true })),
  );
  return blocks.map(({ hash, number, timestamp, transactions }) => {
    const at = Number(timestamp) * 1_000;
    return { at, hash, number: Number(number), transactions: transactions.map((each) => evmEntry(each, at)) };
  });
}

type EvmTransaction = Awaited<ReturnType<Chain["client"]["getTransaction"]>>;

function evmEntry(transaction: EvmTransaction, at: number | null): Entry {
  const { blockNumber, from, hash, input, to, value } = transaction;
  return {
    ...{ at, from, hash, to },
    block: blockNumber === null ? null : Number(blockNumber),
    method: input === "0x" ? null : input.slice(0, 10),
    value: value.toString(),
  };
}

async function svmBlocks(store: Store, { before, limit }: Page): Promise<Blocks> {
  const newest = await store
    .selectFrom("svm_entries")
    .select("slot")
    .where("signature", "is not", null)
    .where("slot", "<", before)
    .orderBy("slot", "desc")
    .limit(limit)
    .execute();
  const above = (newest.at(-1)?.slot ?? before) - 1;
  const entries = await svmTransactionsBetween(store, { above, limit, to: before - 1 });
  return entries
    .map((each) => ({ at: each.at, hash: each.blockhash, number: each.slot, transactions: [svmEntry(each)] }))
    .toReversed();
}

function svmEntry({ at, outcome, signature, slot }: SvmEntry): Entry {
  const [payer] = outcome.accounts;
  return {
    at,
    block: slot,
    from: payer?.address ?? null,
    hash: signature,
    method: null,
    to: null,
    value: "0",
  };
}

async function exchangeBlocks(store: Store, { before, limit }: Page): Promise<Blocks> {
  const rows = await store
    .selectFrom("exchange_actions")
    .selectAll()
    .where("id", "<", before)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    at: row.at,
    hash: row.hash,
    number: row.id,
    transactions: [exchangeEntry(row)],
  }));
}

function exchangeEntry({ account, at, destination, hash, id }: ExchangeActionRow): Entry {
  return { at, block: id, from: account, hash, method: "sendAsset", to: destination, value: "0" };
}

/** A transaction as its ledger has it. A reorg may have removed it. */
export async function findTransaction(
  place: Place,
  hash: string,
  store: Store,
): Promise<Omit<Transaction, "requests"> | undefined> {
  if (isEvmChain(place)) return isHash(hash) ? evmTransaction(place, hash) : undefined;
  if (isSvmChain(place)) {
    const found = await findSvmEntry(store, hash);
    return found && svmTransaction(place, found);
  }
  const action = await store
    .selectFrom("exchange_actions")
    .selectAll()
    .where("hash", "=", hash.toLowerCase())
    .executeTakeFirst();
  return action && { ...none, ...exchangeEntry(action), ...endOf(action.error), data: action.request };
}

/** A transaction of which nothing is known but its entry. */
const none = { balances: [], data: null, events: [], fee: null, logs: [], nonce: null, trace: null };

function endOf(error: string | null) {
  return { error, status: error === null ? ("success" as const) : ("failure" as const) };
}

async function evmTransaction(chain: Chain, hash: Hex): Promise<Omit<Transaction, "requests"> | undefined> {
  const { client } = chain;
  const [transaction, receipt] = await Promise.all([
    client.getTransaction({ hash }).catch(absent(TransactionNotFoundError)),
    client.getTransactionReceipt({ hash }).catch(absent(TransactionReceiptNotFoundError)),
  ]);
  if (transaction === undefined) return undefined;
  const shown = { ...none, data: transaction.input, nonce: transaction.nonce };
  if (receipt === undefined)
    return { ...shown, ...evmEntry(transaction, null), error: null, status: "pending" };
  const { timestamp } = await client.getBlock({ blockHash: receipt.blockHash });
  const events = receipt.logs.map(({ address, data, topics }) => ({ address, data, topics: [...topics] }));
  const trace = await chain
    .rpc("debug_traceTransaction", [hash, { tracer: "callTracer" }])
    .then((root) => callFrameSchema.parse(root))
    .catch(() => null);
  return {
    ...shown,
    ...evmEntry(transaction, Number(timestamp) * 1_000),
    balances: await evmBalances(chain, transaction, { events, trace }).catch(() => []),
    error: null,
    events,
    fee: (receipt.gasUsed * receipt.effectiveGasPrice).toString(),
    status: receipt.status === "success" ? "success" : "failure",
    trace,
  };
}

/** Maximum number of accounts whose balances are read. */
const mostAccounts = 24;

/** Balances that a block changed, of the parties of a transaction, of its events, and of calls with value. */
async function evmBalances(
  chain: Chain,
  { blockNumber, from, to }: EvmTransaction,
  { events, trace }: Pick<Transaction, "events" | "trace">,
): Promise<Transaction["balances"]> {
  if (blockNumber === null || blockNumber === 0n) return [];
  const indexed = events.flatMap(({ topics }) => topics.slice(1).filter((topic) => /^0x0{24}/.test(topic)));
  const parties = [from, to ?? [], ...payersOf(trace), ...indexed.map((topic) => `0x${topic.slice(26)}`)];
  const accounts = [...new Set(parties.flat().map((each) => each.toLowerCase()))];
  const named = new Set(events.map(({ address }) => address.toLowerCase()));
  const [native, ...tokens] = chain.currencies.map(({ address }) => address);
  const currencies = [native as Address, ...tokens.filter((token) => named.has(token.toLowerCase()))];
  const pairs = accounts
    .slice(0, mostAccounts)
    .flatMap((account) => currencies.map((currency) => ({ account: account as Address, currency })));
  const read = await Promise.all(
    pairs.map(async ({ account, currency }) => ({
      ...shownCurrency(chain, currency),
      account,
      after: (await balanceOf(chain, currency, account, blockNumber)).toString(),
      before: (await balanceOf(chain, currency, account, blockNumber - 1n)).toString(),
    })),
  );
  return read.filter(({ after, before }) => after !== before);
}

/** Both ends of each call with value. */
function payersOf(frame: Transaction["trace"]): readonly string[] {
  if (frame === null) return [];
  const { calls = [], from, to = from, value = "0x0" } = frame;
  return [...(BigInt(value) > 0n ? [from, to] : []), ...calls.flatMap(payersOf)];
}

function svmTransaction(chain: SvmChain, found: SvmEntry): Omit<Transaction, "requests"> {
  const { isVoid, outcome, wire } = found;
  const native = shownCurrency(chain, chain.currencies[0].address);
  const changes = [
    ...outcome.accounts.map(({ address, post, pre }) => ({ ...native, account: address, post, pre })),
    ...outcome.tokens.map(({ mint, owner, post, pre }) => ({
      ...shownCurrency(chain, decodeSvmAddress({ address: mint })),
      ...{ account: owner, post, pre },
    })),
  ];
  return {
    ...none,
    ...svmEntry(found),
    ...endOf(isVoid ? "never executed" : outcome.error),
    balances: changes
      .filter(({ post, pre }) => post !== pre)
      .map(({ post, pre, ...rest }) => ({ ...rest, after: post.toString(), before: pre.toString() })),
    data: Buffer.from(wire).toString("base64"),
    fee: outcome.fee.toString(),
    logs: [...outcome.logs],
  };
}

/** Turns one kind of error into `undefined` and rethrows others. */
function absent(kind: new (...args: never[]) => Error) {
  return (error: unknown): undefined => {
    if (!(error instanceof kind)) throw error;
  };
}

export function shownCurrency(place: Place, address: string) {
  const found = place.currencies.find((each) => each.address.toLowerCase() === address.toLowerCase());
  if (found === undefined) return { currency: accountText(address), decimals: 0, symbol: "?" };
  return {
    currency: currencyText(place, found),
    decimals: found.decimals,
    // Currencies of the exchange share a symbol.
    symbol: vmTypeOf(place) === "hypevm" ? found.name : found.symbol,
  };
}
