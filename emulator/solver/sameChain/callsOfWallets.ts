import { sql } from "kysely";
import { isAddressEqual, size } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import type { BlockTransaction } from "../receipts/readBlocks.ts";
import { type CallFrame, traceCalls } from "../receipts/traceCalls.ts";

/** A selector and one word: shorter calldata cannot ask a contract to make a call. */
const leastWalletBytes = 36;

/**
 * Lists the calls that a contract made in a transaction. The contract may be a user's wallet, whose calls count
 * as the user's own. Empty for contracts of the service, and on a node that cannot trace.
 */
export async function callsOfWallets(
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
export async function isSameChainExpected(
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
