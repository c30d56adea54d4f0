import { sql } from "kysely";
import { decodeFunctionData, type Hex, isAddressEqual, keccak256, size, slice } from "viem";
import { relayApprovalProxyV3Abi } from "../../../src/abi/RelayApprovalProxyV3.ts";
import { relayRouterV3Abi } from "../../../src/abi/RelayRouterV3.ts";
import { type RoutedCall, replaceCalls } from "../../../src/calls/verify/routedCalls.ts";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { applyTrigger, readStatus } from "../../requests/applyTrigger.ts";
import { type Intent, parseIntent } from "../../requests/Intent.ts";
import { addRequestHash } from "../../requests/insertRequest.ts";
import type { RequestType } from "../../store/tables/requestTables.ts";
import type { Store, StoreTransaction } from "../../store/tables.ts";
import { movedOnSameChain } from "../receipts/measureDelivered.ts";
import {
  type Block,
  type BlockTransaction,
  readBlockNumber,
  readBlocks,
  readReceipt,
} from "../receipts/readBlocks.ts";
import { isOutdated } from "../receipts/searchedBlocks.ts";
import { type CallFrame, traceCalls } from "../receipts/traceCalls.ts";

/** A user's own transaction that executes a whole request: deposit and delivery. */
export type SameChainTransaction = {
  readonly requestId: Hex;
  /** The mined transaction; a wallet's relayer may have sent it. */
  readonly transaction: BlockTransaction;
  readonly block: Pick<Block, "number" | "hash" | "timestamp">;
  readonly isSuccessful: boolean;
  /** Fee that the sender paid, in wei. */
  readonly fee: bigint;
  /** Spent input and delivered output, in smallest units; zero unless the transaction succeeded. */
  readonly paid: bigint;
  readonly delivered: bigint;
};

const idBytes = 32;
const routedAbi = [...relayRouterV3Abi, ...relayApprovalProxyV3Abi];

/** A call that names a request, with its transaction. */
type Named = {
  readonly block: Block;
  readonly transaction: BlockTransaction;
  readonly call: CallFrame;
  readonly requestId: Hex;
};

/**
 * Finds the transactions in some blocks by which users execute a request themselves. They name it in the metadata of
 * the v3 router and approval proxy, or in the last 32 bytes of the calldata. A name proves nothing: a call counts only
 * if it equals the quote's to the byte and is made by an account or by a contract that is the user's wallet.
 */
export async function findSameChainTransactions(
  chain: Chain,
  blocks: readonly Block[],
  context: Pick<Context, "accounts" | "control" | "store">,
  fork?: bigint,
): Promise<readonly SameChainTransaction[]> {
  const transactions = blocks.flatMap((block) =>
    block.transactions.map((transaction) => ({ block, transaction })),
  );
  if (transactions.length === 0 || !(await isSameChainExpected(chain, fork, context))) return [];
  const named: Named[] = [];
  for (const { block, transaction } of transactions) {
    const { from, input, to, value } = transaction;
    const outermost = to ? [{ from, input, to, value }] : [];
    for (const call of [...outermost, ...(await callsOfWallets(chain, transaction, context))]) {
      const requestId = namedBy(chain, call);
      if (requestId !== undefined) named.push({ block, call, requestId, transaction });
    }
  }
  return matchQuoted(chain, named, context);
}

async function matchQuoted(
  chain: Chain,
  named: readonly Named[],
  { control, store }: Pick<Context, "control" | "store">,
): Promise<readonly SameChainTransaction[]> {
  if (named.length === 0) return [];
  const ids = [...new Set(named.map(({ requestId }) => requestId))];
  const requests = await store
    .selectFrom("requests")
    .select(["id", "intent"])
    .where("id", "in", ids)
    .execute();
  const intents = new Map(requests.map(({ id, intent }) => [id, parseIntent(intent)]));
  const known = await knownTransactions(store, ids);
  const isLenient = control.config.get().lenient;
  const found: SameChainTransaction[] = [];
  for (const { block, call, requestId, transaction } of named) {
    const intent = intents.get(requestId);
    const { from } = call;
    if (intent === undefined || !isAsQuoted(intent, chain, call)) continue;
    if (!isLenient && unwatched.has(intent.kind) && !known.has(`${requestId}:${transaction.hash}`)) continue;
    const { fee, isSuccessful, logs } = await readReceipt(chain.rpc, transaction.hash);
    // Any account may pay for the user; only the user's own failure counts.
    if (!isSuccessful && !isAddressEqual(from, intent.user)) continue;
    const moved = isSuccessful ? movedOnSameChain(intent, chain, logs) : { delivered: 0n, paid: 0n };
    found.push({ ...moved, block, fee, isSuccessful, requestId, transaction });
  }
  return found;
}

/** Types whose transactions the service does not search for: a client has to name them (page "Transaction Indexing"). */
const unwatched: ReadonlySet<RequestType> = new Set(["Send", "Wrap", "Unwrap"]);

/** Transactions of requests that a client named or the service sent itself, each as `<request>:<hash>`. */
async function knownTransactions(store: Store, ids: readonly Hex[]): Promise<ReadonlySet<string>> {
  const rows = await store
    .selectFrom("indexed_transactions")
    .select(["request_id", "hash"])
    .where("request_id", "in", ids)
    .unionAll(
      store
        .selectFrom("relayed_deposits")
        .select((row) => ["request_id", row.ref("hash").$notNull().as("hash")])
        .where("request_id", "in", ids),
    )
    .execute();
  return new Set(rows.map(({ hash, request_id }) => `${request_id}:${hash}`));
}

/** Stores that a client named a transaction of a request, which the next search of its chain looks at. */
export async function indexTransaction(
  store: Store,
  named: { readonly chain_id: number; readonly hash: string; readonly request_id: string },
): Promise<void> {
  await store
    .insertInto("indexed_transactions")
    .values(named)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Records the transactions that clients named after their blocks were searched. Those of later blocks are found there. */
export async function recordIndexed(chain: Chain, last: bigint, context: Context): Promise<void> {
  const { id } = chain.definition;
  const named = await context.store
    .selectFrom("indexed_transactions")
    .innerJoin("requests", "requests.id", "indexed_transactions.request_id")
    .select("hash")
    .where("chain_id", "=", id)
    .where("status", "=", "waiting")
    .execute();
  for (const { hash } of named) {
    const number = await readBlockNumber(chain.rpc, hash as Hex);
    if (number === undefined || number > last) continue;
    const found = await findSameChainTransactions(
      chain,
      await readBlocks(chain.rpc, number, number),
      context,
    );
    await context.store.transaction().execute(async (transaction) => {
      for (const each of found) {
        const { block } = each;
        if (await isOutdated(transaction, chain, { blockHash: block.hash, blockNumber: block.number }))
          continue;
        await recordSameChainTransaction(transaction, id, each, context);
      }
    });
  }
}

/**
 * Ends the request of a user's own transaction, in the caller's transaction. Idempotent: an ended request is left
 * unchanged.
 */
export async function recordSameChainTransaction(
  transaction: StoreTransaction,
  chainId: number,
  sent: SameChainTransaction,
  { now }: Pick<Context, "now">,
): Promise<void> {
  const { block, isSuccessful, requestId } = sent;
  const { from, hash: txHash, input, to, value } = sent.transaction;
  const at = now();
  const place = {
    block_at: Number(block.timestamp) * 1_000,
    block_hash: block.hash,
    block_number: Number(block.number),
  };
  await transaction
    .insertInto("same_chain_transactions")
    .values({
      ...place,
      at,
      chain_id: chainId,
      fee: sent.fee.toString(),
      from_address: from.toLowerCase(),
      hash: txHash,
      paid: isSuccessful ? sent.paid.toString() : null,
      request_id: requestId,
      status: isSuccessful ? "success" : "failure",
      tx_data: input,
      tx_to: to?.toLowerCase() ?? null,
      value: value.toString(),
    })
    .onConflict((conflict) => conflict.columns(["request_id", "hash"]).doUpdateSet(place))
    .execute();
  const status = await readStatus(transaction, requestId);
  if (status !== "waiting" && status !== "depositing") return;
  await addRequestHash(transaction, { hash: txHash, kind: "deposit", request_id: requestId });
  await addRequestHash(transaction, { hash: txHash, kind: "fill", request_id: requestId });
  await transaction
    .updateTable("requests")
    .set({
      origin_block: Number(block.number),
      ...(!isSuccessful && { failed_tx_block: Number(block.number), failed_tx_hash: txHash }),
    })
    .where("id", "=", requestId)
    .execute();
  const change = isSuccessful
    ? ({ delivered: sent.delivered, trigger: "own-succeeded", txHash } as const)
    : ({ failReason: "TRANSACTION_REVERTED", trigger: "own-failed", txHash } as const);
  await applyTrigger(transaction, requestId, change, at);
}

/**
 * Returns requests to waiting whose user's own transaction a reorg removed, in the caller's transaction. If another
 * block holds it, it is found there and ends its request as before.
 */
export async function revertSameChainTransactions(
  transaction: StoreTransaction,
  chainId: number,
  fork: bigint,
  found: readonly SameChainTransaction[],
  { log, now }: Pick<Context, "log" | "now">,
): Promise<void> {
  const isThere = new Set(
    found.map(
      ({ isSuccessful, requestId, transaction: { hash } }) =>
        `${requestId}:${hash}:${isSuccessful ? "success" : "failure"}`,
    ),
  );
  const rows = await transaction
    .selectFrom("same_chain_transactions")
    .select(["request_id", "hash", "status"])
    .where("chain_id", "=", chainId)
    .where("block_number", ">", Number(fork))
    .execute();
  for (const { hash, request_id, status } of rows) {
    if (isThere.has(`${request_id}:${hash}:${status}`)) continue;
    await transaction
      .deleteFrom("same_chain_transactions")
      .where("request_id", "=", request_id)
      .where("hash", "=", hash)
      .execute();
    const other = await transaction
      .selectFrom("same_chain_transactions")
      .select("hash")
      .where("request_id", "=", request_id)
      .executeTakeFirst();
    // Another transaction made the same calls, and the request stays ended.
    if (other !== undefined) continue;
    log({
      level: "info",
      message: `a reorg removed a user's own transaction from chain ${chainId}: ${hash}`,
      requestId: request_id,
    });
    const change = { failReason: null, trigger: "own-reorged", txHash: hash } as const;
    await applyTrigger(transaction, request_id, change, now());
  }
}

/** Whether a call is the transaction that a request was quoted with, calls of the output guard apart. */
export function isAsQuoted({ own, origin }: Intent, chain: Chain, { input, to, value }: CallFrame): boolean {
  return (
    own !== null &&
    origin.chainId === chain.definition.id &&
    isAddressEqual(to, own.to) &&
    value === own.value &&
    keccak256(withoutGuard(input, chain)) === own.dataHash
  );
}

/** Removes the calls to the output guard that a client adds around a router's calls. */
function withoutGuard(input: Hex, { contracts }: Chain): Hex {
  const strip = (calls: readonly RoutedCall[]) =>
    calls.filter(({ target }) => !isAddressEqual(target, contracts.outputGuard));
  return replaceCalls(input, strip) ?? input;
}

function namedBy({ contracts }: Chain, { input, to }: CallFrame): Hex | undefined {
  if (size(input) < idBytes) return undefined;
  const { approvalProxy, erc20Router } = contracts.v3;
  if (!isAddressEqual(to, approvalProxy) && !isAddressEqual(to, erc20Router)) {
    return slice(input, size(input) - idBytes);
  }
  try {
    const { args, functionName } = decodeFunctionData({ abi: routedAbi, data: input });
    if (functionName !== "multicall" && functionName !== "transferAndMulticall") return undefined;
    const metadata = args.at(-1);
    return typeof metadata === "string" && size(metadata as Hex) === idBytes ? (metadata as Hex) : undefined;
  } catch {
    return undefined;
  }
}

/** A selector and one word: shorter calldata cannot ask a contract to make a call. */
const leastWalletBytes = 36;

/**
 * Lists the calls that a contract made in a transaction. The contract may be a user's wallet, whose calls count
 * as the user's own. Empty for contracts of the service, and on a node that cannot trace.
 */
async function callsOfWallets(
  chain: Chain,
  transaction: BlockTransaction,
  { accounts }: Pick<Context, "accounts">,
): Promise<readonly CallFrame[]> {
  const { from, hash, input, to } = transaction;
  if (!to || size(input) < leastWalletBytes || isAddressEqual(from, accounts.solver.account.address)) {
    return [];
  }
  const { contracts, currencies, swap } = chain;
  const { v3, ...others } = contracts;
  // The open multicallers are not excluded: a user may route calls through them, as through any other contract.
  const {
    multicall3: _,
    multicaller: __,
    ...ours
  } = { ...others, routerV3: v3.erc20Router, proxyV3: v3.approvalProxy };
  const known = [...Object.values(ours), ...currencies.map(({ address }) => address), swap.router];
  if (known.some((address) => isAddressEqual(address, to))) return [];
  return ((await traceCalls(chain, hash)) ?? []).slice(1);
}

/**
 * Whether any request awaits its user's own transaction on a chain, or a reorg may have moved one. Otherwise nothing
 * needs tracing.
 */
async function isSameChainExpected(
  { definition }: Pick<Chain, "definition">,
  fork: bigint | undefined,
  { store }: Pick<Context, "store">,
): Promise<boolean> {
  const waiting = await store
    .selectFrom("requests")
    .select("id")
    .where("origin_chain_id", "=", definition.id)
    // The text matches the condition of the partial index, or the database would not use that index.
    .where(sql<boolean>`status = 'waiting' and origin_chain_id = destination_chain_id`)
    .limit(1)
    .executeTakeFirst();
  if (waiting !== undefined || fork === undefined) return waiting !== undefined;
  const moved = await store
    .selectFrom("same_chain_transactions")
    .select("hash")
    .where("chain_id", "=", definition.id)
    .where("block_number", ">", Number(fork))
    .limit(1)
    .executeTakeFirst();
  return moved !== undefined;
}
