import type { Chain } from "../../../chains/Chain.ts";
import type { Context } from "../../../context/Context.ts";
import { isPostgres } from "../../../store/dialect/columnTypes.ts";
import { recordAddressPayments, removeAddressPayments } from "../../addresses/recordAddressPayments.ts";
import type { FoundAddressPayment } from "../../addresses/watchedAddresses.ts";
import { type FoundDeposit, firstIgnored, splitExcess } from "../../deposits/FoundDeposit.ts";
import { recordDeposit } from "../../deposits/recordDeposit.ts";
import { depositVanished, revertSettlement } from "../../deposits/reorg.ts";
import { findReorgedTransactions } from "../../receipts/findReorgedTransactions.ts";
import {
  type Block,
  ChainMovedError,
  readBlock,
  readBlocks,
  readNewestBlock,
  saysItFollows,
} from "../../receipts/readBlocks.ts";
import {
  expectCursor,
  expectSettledInPlace,
  forkPoint,
  lastSearched,
  rememberBlocks,
  type Searched,
  setCursor,
} from "../../receipts/searchedBlocks.ts";
import {
  findSameChainTransactions,
  recordIndexed,
  recordSameChainTransaction,
  revertSameChainTransactions,
  type SameChainTransaction,
} from "../../sameChain/sameChainTransactions.ts";
import { findAddressPayments } from "./findAddressPayments.ts";
import { findDeposits } from "./findDeposits.ts";

/** Most blocks of one search: bounds the size of the node's answers. */
const blocksAtOnce = 100n;

/**
 * Searches the blocks since the last search, and records findings and position in one transaction. After a crash the
 * next search starts at the recorded position, so that no block is skipped or counted twice. After a reorg the search
 * returns to the fork. One transaction records the vanished and the remaining deposits.
 */
export async function scanChain(chain: Chain, context: Context): Promise<void> {
  try {
    const head = await readNewestBlock(chain.rpc);
    const searched = await lastSearched(chain, context.store);
    if (await isContinued(chain, head, searched)) {
      await recordIndexed(chain, searched.number, context);
      await searchOn(chain, context, { fromBlock: searched.number + 1n, head });
    } else {
      await searchAgain(chain, context, searched, head);
    }
  } catch (error) {
    // A reorg, or a search by another process, happened during the read. Nothing was recorded; the next round starts
    // over.
    if (!(error instanceof ChainMovedError)) throw error;
  }
}

/** Whether the chain still has the last searched block. */
async function isContinued(chain: Chain, head: Block, { hash, number }: Searched): Promise<boolean> {
  if (hash === undefined) return true;
  if (head.number < number) return false;
  if (head.number === number) return head.hash === hash;
  const isFollowed = head.number === number + 1n ? saysItFollows(head, hash) : undefined;
  return isFollowed ?? (await readBlock(chain.rpc, number))?.hash === hash;
}

/** The blocks from a number to the newest one. */
type Range = {
  readonly fromBlock: bigint;
  readonly head: Block;
  /** The last block that a reorg kept. */
  readonly fork?: bigint;
};

async function searchOn(chain: Chain, context: Context, range: Range): Promise<void> {
  for await (const { blocks, found, sameChain, payments } of search(chain, context, range)) {
    const ignored = await firstIgnored(found, context);
    const moved = await findReorgedTransactions(chain, blocks, false, context);
    const isSeen = ({ number }: Pick<Block, "number">) => ignored === undefined || number < ignored;
    await context.store.transaction().execute(async (transaction) => {
      await expectCursor(transaction, chain, blocks[0]?.number);
      const deposits = await splitExcess(
        transaction,
        found.filter(({ block }) => isSeen(block)),
      );
      for (const deposit of deposits) await recordDeposit(transaction, deposit, context);
      for (const each of sameChain) {
        if (isSeen(each.block))
          await recordSameChainTransaction(transaction, chain.definition.id, each, context);
      }
      const seen = payments.filter(({ blockNumber }) => isSeen({ number: BigInt(blockNumber) }));
      await recordAddressPayments(transaction, chain, seen, context);
      await revertSettlement(transaction, moved, context);
      await rememberBlocks(transaction, chain, blocks.filter(isSeen));
      await expectSettledInPlace(transaction, chain, range.fromBlock);
    });
    // The next search begins with the ignored block.
    if (ignored !== undefined) return;
  }
}

/** Searches again from the fork on; nothing is recorded before everything is read. */
async function searchAgain(chain: Chain, context: Context, searched: Searched, head: Block): Promise<void> {
  const chainId = chain.definition.id;
  // If another chain answered at the same URL, every deposit would count as vanished.
  await chain.confirm?.();
  const fork = await forkPoint(chain, context.store);
  context.log({
    level: "info",
    message: `${chain.definition.name} was reorganised after block ${fork}; ${searched.number - fork} blocks vanished`,
  });
  const blocks: Block[] = [];
  const found: FoundDeposit[] = [];
  const sameChain: SameChainTransaction[] = [];
  const payments: FoundAddressPayment[] = [];
  for await (const part of search(chain, context, { fork, fromBlock: fork + 1n, head })) {
    blocks.push(...part.blocks);
    found.push(...part.found);
    sameChain.push(...part.sameChain);
    payments.push(...part.payments);
  }
  const moved = await findReorgedTransactions(chain, blocks, true, context, fork + 1n);
  await chain.confirm?.();
  await context.store.transaction().execute(async (transaction) => {
    await expectCursor(transaction, chain, searched.number + 1n);
    const deposits = await splitExcess(transaction, found);
    const amounts = new Map(deposits.map(({ amount, id }) => [id, amount.toString()]));
    const before = await transaction
      .selectFrom("deposits")
      .selectAll()
      .where("chain_id", "=", chainId)
      .where("block_number", ">", Number(fork))
      .where("source", "=", "payment")
      .where("state", "not in", ["vanished", "netted-vanished"])
      .orderBy("block_number")
      .$if(isPostgres(transaction), (query) => query.forUpdate())
      .execute();
    for (const deposit of before) {
      if (amounts.get(deposit.id) !== deposit.amount) await depositVanished(transaction, deposit, context);
    }
    for (const deposit of deposits) await recordDeposit(transaction, deposit, context);
    await removeAddressPayments(transaction, chainId, fork, payments, context);
    await recordAddressPayments(transaction, chain, payments, context);
    await revertSameChainTransactions(transaction, chainId, fork, sameChain, context);
    await revertSettlement(transaction, moved, context);
    for (const each of sameChain) await recordSameChainTransaction(transaction, chainId, each, context);
    await transaction
      .deleteFrom("blocks")
      .where("chain_id", "=", chainId)
      .where("number", ">", Number(fork))
      .execute();
    await setCursor(transaction, chainId, Number(fork) + 1);
    await rememberBlocks(transaction, chain, blocks);
    await expectSettledInPlace(transaction, chain, fork + 1n);
  });
}

async function* search(chain: Chain, context: Context, { fork, fromBlock, head }: Range) {
  const { accounts, log } = context;
  const find = { log, solver: accounts.solver.account.address };
  for (let from = fromBlock; from <= head.number; from += blocksAtOnce) {
    const to = from + blocksAtOnce - 1n > head.number ? head.number : from + blocksAtOnce - 1n;
    const blocks = await readBlocks(chain.rpc, from, to, head);
    yield {
      blocks,
      found: await findDeposits(chain, blocks, find),
      sameChain: await findSameChainTransactions(chain, blocks, context, fork),
      payments: await findAddressPayments(chain, blocks, context),
    };
  }
}
