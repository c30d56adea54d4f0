import { sql } from "kysely";
import { isAddressEqual, size } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import type { BlockTransaction } from "../receipts/readBlocks.ts";
import { type CallFrame, traceCalls } from "../receipts/traceCalls.ts";

/** A selector and one word: with less, nothing could be told to make a call. */
const leastWalletBytes = 36;

/**
 * The calls that a contract made in a transaction, which may be the wallet of a user: what he would send himself is one of
 * them. Empty for what no wallet is, and on a node that cannot trace.
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
  // Others may be told to make calls by anybody, too: Multicall3 is such a wallet.
  const { multicall3: _, ...ours } = { ...others, routerV3: v3.erc20Router, proxyV3: v3.approvalProxy };
  const known = [...Object.values(ours), ...currencies.map(({ address }) => address), swap.router];
  if (known.some((address) => isAddressEqual(address, to))) return [];
  return ((await traceCalls(chain, hash)) ?? []).slice(1);
}

/** Whether any request waits for a transaction of its user alone on a chain: without one there is no need to trace. */
export async function isSameChainExpected(
  { definition }: Pick<Chain, "definition">,
  { store }: Pick<Context, "store">,
): Promise<boolean> {
  const request = await store
    .selectFrom("requests")
    .select("id")
    .where("origin_chain_id", "=", definition.id)
    // In the words of the index that has no others.
    .where(sql<boolean>`status = 'waiting' and origin_chain_id = destination_chain_id`)
    .limit(1)
    .executeTakeFirst();
  return request !== undefined;
}
