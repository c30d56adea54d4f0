import type { Transaction } from "kysely";
import type { Hex } from "viem";
import type { Chain } from "../chains/Chain.ts";
import type { ChainHead } from "../chains/ChainHead.ts";
import { latestHead } from "../chains/rpc.ts";
import type { Context } from "../context/Context.ts";
import type { Store } from "../store/openStore.ts";
import type { Tables } from "../store/tables.ts";
import { type FoundDeposit, findDeposits } from "./deposits/findDeposits.ts";
import { firstIgnored } from "./deposits/firstIgnored.ts";
import { recordDeposit, recordedForm, recordedForms } from "./deposits/recordDeposit.ts";
import { depositVanished } from "./deposits/reorg.ts";
import { type Block, ChainMovedError, readBlock, readBlocks, saysItFollows } from "./receipts/readBlocks.ts";
import { findReorgedTransactions } from "./reorgs/findReorgedTransactions.ts";
import { revertSettlement } from "./reorgs/revertSettlement.ts";
import { revertSameChainTransactions } from "./sameChain/sameChainReorg.ts";
import {
  findSameChainTransactions,
  recordSameChainTransaction,
  type SameChainTransaction,
} from "./sameChain/sameChainTransactions.ts";

/** So many blocks are searched at once: bounds what one answer of the node can hold. */
const blocksAtOnce = 100n;
/** So many blocks are remembered: a chain that goes back further is searched again from its first block on. */
const remembered = 1_024;
/** Older blocks are forgotten once in so many. */
const forgetEvery = 64;

/**
 * Searches the blocks that have come since the last search, and records what was found together with how far it got: a
 * crash in between makes the next search find the same again, never skip or repeat.
 *
 * When the chain was reorganised it goes back to where its blocks and those that were searched part, and records what
 * vanished and what is still there in one transaction.
 */
export async function scanChain(chain: Chain, context: Context): Promise<void> {
  try {
    const head = await latestHead(chain.rpc);
    const searched = await lastSearched(chain, context.store);
    if (await isContinued(chain, head, searched)) {
      await searchOn(chain, context, { fromBlock: searched.number + 1n, toBlock: head.number });
    } else {
      await searchAgain(chain, context, searched, head);
    }
  } catch (error) {
    // Reorganised, or searched by another process, while it was read; nothing was recorded, and the next round starts over.
    if (!(error instanceof ChainMovedError)) throw error;
  }
}

/** The last block that was searched; without a hash when none was yet. */
type Searched = { readonly number: bigint; readonly hash?: Hex | undefined };

async function lastSearched(chain: Chain, store: Store): Promise<Searched> {
  const row = await store
    .selectFrom("cursors")
    .leftJoin("blocks", (join) =>
      join
        .onRef("blocks.chain_id", "=", "cursors.chain_id")
        .on((on) => on("blocks.number", "=", on("cursors.next_block", "-", 1))),
    )
    .select(["cursors.next_block", "blocks.hash"])
    .where("cursors.chain_id", "=", chain.definition.id)
    .executeTakeFirst();
  if (row === undefined) return { number: chain.firstBlock - 1n };
  return { hash: (row.hash as Hex | null) ?? undefined, number: BigInt(row.next_block) - 1n };
}

/** Whether the chain still has the last block that was searched. */
async function isContinued(chain: Chain, head: ChainHead, { hash, number }: Searched): Promise<boolean> {
  if (hash === undefined) return true;
  if (head.number < number) return false;
  if (head.number === number) return head.hash === hash;
  const isFollowed = head.number === number + 1n ? saysItFollows(head, hash) : undefined;
  return isFollowed ?? (await readBlock(chain.rpc, number))?.hash === hash;
}

type Range = { readonly fromBlock: bigint; readonly toBlock: bigint };

async function searchOn(chain: Chain, context: Context, range: Range): Promise<void> {
  for await (const { blocks, found, own } of search(chain, context, range)) {
    const ignored = await firstIgnored(found, context);
    const moved = await findReorgedTransactions(chain, blocks, false, context);
    const isSeen = ({ number }: Pick<Block, "number">) => ignored === undefined || number < ignored;
    await context.store.transaction().execute(async (transaction) => {
      await expectCursor(transaction, chain, blocks[0]?.number);
      for (const deposit of found) {
        if (isSeen(deposit.block)) await recordDeposit(transaction, deposit, context);
      }
      for (const each of own) {
        if (isSeen(each.block))
          await recordSameChainTransaction(transaction, chain.definition.id, each, context);
      }
      await revertSettlement(transaction, moved, context);
      await rememberBlocks(transaction, chain, blocks.filter(isSeen));
    });
    // The next search begins with it.
    if (ignored !== undefined) return;
  }
}

/** Goes back to where the chain forked, and searches from there; nothing is recorded before all is known. */
async function searchAgain(
  chain: Chain,
  context: Context,
  searched: Searched,
  head: ChainHead,
): Promise<void> {
  const chainId = chain.definition.id;
  // Another chain at the same address has none of the deposits: they would count as vanished.
  await chain.confirm?.();
  const fork = await forkPoint(chain, context.store);
  context.log({
    level: "info",
    message: `${chain.definition.name} was reorganised after block ${fork}; ${searched.number - fork} blocks vanished`,
  });
  const blocks: Block[] = [];
  const found: FoundDeposit[] = [];
  const own: SameChainTransaction[] = [];
  for await (const part of search(chain, context, { fromBlock: fork + 1n, toBlock: head.number })) {
    blocks.push(...part.blocks);
    found.push(...part.found);
    own.push(...part.own);
  }
  const moved = await findReorgedTransactions(chain, blocks, true, context, fork + 1n);
  await chain.confirm?.();
  await context.store.transaction().execute(async (transaction) => {
    await expectCursor(transaction, chain, searched.number + 1n);
    const isThere = new Set(found.flatMap(recordedForms));
    const before = await transaction
      .selectFrom("deposits")
      .selectAll()
      .where("chain_id", "=", chainId)
      .where("block_number", ">", Number(fork))
      .where("outcome", "!=", "vanished")
      .orderBy("block_number")
      .execute();
    for (const deposit of before) {
      if (!isThere.has(recordedForm(deposit))) await depositVanished(transaction, deposit, context);
    }
    for (const deposit of found) await recordDeposit(transaction, deposit, context);
    await revertSameChainTransactions(transaction, chainId, fork, own, context);
    await revertSettlement(transaction, moved, context);
    for (const each of own) await recordSameChainTransaction(transaction, chainId, each, context);
    await transaction
      .deleteFrom("blocks")
      .where("chain_id", "=", chainId)
      .where("number", ">", Number(fork))
      .execute();
    await setCursor(transaction, chainId, Number(fork) + 1);
    await rememberBlocks(transaction, chain, blocks);
  });
}

/** The last block that the chain still has as it was searched. */
async function forkPoint(chain: Chain, store: Store): Promise<bigint> {
  const rows = await store
    .selectFrom("blocks")
    .select(["number", "hash"])
    .where("chain_id", "=", chain.definition.id)
    .orderBy("number", "desc")
    .execute();
  for (const { hash, number } of rows) {
    if ((await readBlock(chain.rpc, BigInt(number)))?.hash === hash) return BigInt(number);
  }
  return chain.firstBlock - 1n;
}

async function* search(chain: Chain, context: Context, { fromBlock, toBlock }: Range) {
  const { accounts, log } = context;
  const find = { log, solver: accounts.solver.account.address };
  for (let from = fromBlock; from <= toBlock; from += blocksAtOnce) {
    const to = from + blocksAtOnce - 1n > toBlock ? toBlock : from + blocksAtOnce - 1n;
    const blocks = await readBlocks(chain.rpc, from, to);
    yield {
      blocks,
      found: await findDeposits(chain, blocks, find),
      own: await findSameChainTransactions(chain, blocks, context),
    };
  }
}

async function rememberBlocks(
  transaction: Transaction<Tables>,
  chain: Chain,
  blocks: readonly Block[],
): Promise<void> {
  const last = blocks.at(-1);
  if (last === undefined) return;
  const chain_id = chain.definition.id;
  const oldest = Number(last.number) - remembered;
  const rows = blocks
    .filter(({ number }) => Number(number) > oldest)
    .map(({ hash, number }) => ({ chain_id, hash, number: Number(number) }));
  await transaction.insertInto("blocks").values(rows).execute();
  if (blocks.some(({ number }) => Number(number) % forgetEvery === 0)) {
    await transaction
      .deleteFrom("blocks")
      .where("chain_id", "=", chain_id)
      .where("number", "<=", oldest)
      .execute();
  }
  await setCursor(transaction, chain_id, Number(last.number) + 1);
}

/**
 * Makes sure that the search is still where it was when the blocks were read.
 *
 * @throws ChainMovedError when another process that shares the database was quicker.
 */
async function expectCursor(
  transaction: Transaction<Tables>,
  { definition, firstBlock }: Chain,
  expected: bigint | undefined,
): Promise<void> {
  const row = await transaction
    .selectFrom("cursors")
    .select("next_block")
    .where("chain_id", "=", definition.id)
    .executeTakeFirst();
  if (BigInt(row?.next_block ?? firstBlock) === expected) return;
  throw new ChainMovedError(`block ${expected} was searched meanwhile`);
}

async function setCursor(
  transaction: Transaction<Tables>,
  chain_id: number,
  next_block: number,
): Promise<void> {
  await transaction
    .insertInto("cursors")
    .values({ chain_id, next_block })
    .onConflict((conflict) => conflict.column("chain_id").doUpdateSet({ next_block }))
    .execute();
}
