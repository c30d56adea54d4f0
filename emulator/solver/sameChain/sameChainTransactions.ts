import type { Transaction } from "kysely";
import { decodeFunctionData, type Hex, isAddressEqual, keccak256, size, slice } from "viem";
import { relayApprovalProxyV3Abi } from "../../../src/abi/RelayApprovalProxyV3.ts";
import { relayRouterV3Abi } from "../../../src/abi/RelayRouterV3.ts";
import type { RoutedCall } from "../../../src/calls/verify/Routed.ts";
import { replaceCalls } from "../../../src/calls/verify/routedData.ts";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { addRequestHash } from "../../requests/addRequestHash.ts";
import { applyTrigger } from "../../requests/applyTrigger.ts";
import { type Intent, parseIntent } from "../../requests/Intent.ts";
import { statusOf } from "../../requests/statusOf.ts";
import type { Tables } from "../../store/tables.ts";
import { movedOnSameChain } from "../receipts/measureDelivered.ts";
import type { Block, BlockTransaction } from "../receipts/readBlocks.ts";
import { readReceipt } from "../receipts/readReceipt.ts";
import type { CallFrame } from "../receipts/traceCalls.ts";
import { callsOfWallets, isSameChainExpected } from "./callsOfWallets.ts";

/** A user's own transaction that does all that a request asks for. */
export type SameChainTransaction = {
  readonly requestId: Hex;
  /** The transaction as it was mined, which may be that of a wallet's relayer. */
  readonly transaction: BlockTransaction;
  readonly block: Pick<Block, "number" | "hash" | "timestamp">;
  readonly isSuccessful: boolean;
  /** What it cost its sender, in wei. */
  readonly fee: bigint;
  /** What it spent of the input and what it brought, in smallest units; nothing unless it was successful. */
  readonly paid: bigint;
  readonly delivered: bigint;
};

const idBytes = 32;
const routedAbi = [...relayRouterV3Abi, ...relayApprovalProxyV3Abi];

/** A call that names a request, in the transaction that it was made in. */
type Named = {
  readonly block: Block;
  readonly transaction: BlockTransaction;
  readonly call: CallFrame;
  readonly requestId: Hex;
};

/**
 * Finds the transactions in some blocks that carry out a request which its user carries out alone. They name it: as metadata
 * of the v3 router and approval proxy, or in the last 32 bytes of the calldata. Naming a request proves nothing: what is
 * found is what the quote said, to the byte, made by an account or by a contract that is the user's wallet.
 */
export async function findSameChainTransactions(
  chain: Chain,
  blocks: readonly Block[],
  context: Pick<Context, "accounts" | "store">,
): Promise<readonly SameChainTransaction[]> {
  const transactions = blocks.flatMap((block) =>
    block.transactions.map((transaction) => ({ block, transaction })),
  );
  if (transactions.length === 0 || !(await isSameChainExpected(chain, context))) return [];
  const named: Named[] = [];
  for (const { block, transaction } of transactions) {
    const { from, input, to, value } = transaction;
    const outermost = to ? [{ from, input, to, value }] : [];
    for (const call of [...outermost, ...(await callsOfWallets(chain, transaction, context))]) {
      const requestId = namedBy(chain, call);
      if (requestId !== undefined) named.push({ block, call, requestId, transaction });
    }
  }
  return ownAmong(chain, named, context);
}

async function ownAmong(
  chain: Chain,
  named: readonly Named[],
  { store }: Pick<Context, "store">,
): Promise<readonly SameChainTransaction[]> {
  if (named.length === 0) return [];
  const ids = [...new Set(named.map(({ requestId }) => requestId))];
  const requests = await store
    .selectFrom("requests")
    .select(["id", "intent"])
    .where("id", "in", ids)
    .execute();
  const intents = new Map(requests.map(({ id, intent }) => [id, parseIntent(intent)]));
  const found: SameChainTransaction[] = [];
  for (const { block, call, requestId, transaction } of named) {
    const intent = intents.get(requestId);
    const { from } = call;
    if (intent === undefined || !isAsQuoted(intent, chain, call)) continue;
    const { fee, isSuccessful, logs } = await readReceipt(chain.rpc, transaction.hash);
    // Anybody may pay for somebody else; only the user can fail for himself.
    if (!isSuccessful && !isAddressEqual(from, intent.user)) continue;
    const moved = isSuccessful ? movedOnSameChain(intent, chain, logs) : { delivered: 0n, paid: 0n };
    found.push({ ...moved, block, fee, isSuccessful, requestId, transaction });
  }
  return found;
}

/**
 * Ends the request that a user's own transaction was for, in the caller's transaction. A request that has ended is left as
 * it is, so that finding the same again changes nothing.
 */
export async function recordSameChainTransaction(
  transaction: Transaction<Tables>,
  chainId: number,
  own: SameChainTransaction,
  { now }: Pick<Context, "now">,
): Promise<void> {
  const { block, isSuccessful, requestId } = own;
  const { from, hash: txHash, input, to, value } = own.transaction;
  const at = now();
  const place = { block_hash: block.hash, block_number: Number(block.number) };
  await transaction
    .insertInto("own_transactions")
    .values({
      ...place,
      at,
      block_at: Number(block.timestamp) * 1_000,
      chain_id: chainId,
      fee: own.fee.toString(),
      from_address: from.toLowerCase(),
      hash: txHash,
      paid: isSuccessful ? own.paid.toString() : null,
      request_id: requestId,
      status: isSuccessful ? "success" : "failure",
      tx_data: input,
      tx_to: to?.toLowerCase() ?? null,
      value: value.toString(),
    })
    .onConflict((conflict) => conflict.columns(["request_id", "hash"]).doUpdateSet(place))
    .execute();
  const status = await statusOf(transaction, requestId);
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
    ? ({ delivered: own.delivered, trigger: "own-succeeded", txHash } as const)
    : ({ failReason: "TRANSACTION_REVERTED", trigger: "own-failed", txHash } as const);
  await applyTrigger(transaction, requestId, change, at);
}

function isAsQuoted({ own, origin }: Intent, chain: Chain, { input, to, value }: CallFrame): boolean {
  return (
    own !== null &&
    origin.chainId === chain.definition.id &&
    isAddressEqual(to, own.to) &&
    value === own.value &&
    keccak256(withoutGuard(input, chain)) === own.dataHash
  );
}

/** A client puts a guard around the calls of a router, which takes nothing away from them. */
function withoutGuard(input: Hex, { contracts }: Chain): Hex {
  const strip = (calls: readonly RoutedCall[]) =>
    calls.filter(({ target }) => !isAddressEqual(target, contracts.outputGuard));
  return replaceCalls(input, strip) ?? input;
}

/** The request that a call names. */
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
