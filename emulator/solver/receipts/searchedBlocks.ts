import type { Hex, TransactionReceipt } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Store, StoreTransaction } from "../../store/tables.ts";
import { type Block, ChainMovedError, readBlock } from "./readBlocks.ts";

/** Remembered blocks. A deeper reorg is searched again from the chain's first block. */
const remembered = 1_024;
/** Interval of blocks at which older ones are deleted. */
const forgetEvery = 64;

/** The last searched block; without a hash before the first search. */
export type Searched = { readonly number: bigint; readonly hash?: Hex | undefined };

export async function lastSearched(chain: Chain, store: Store): Promise<Searched> {
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

/** Finds the last searched block that is still on the chain. */
export async function forkPoint(chain: Chain, store: Store): Promise<bigint> {
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

export async function rememberBlocks(
  transaction: StoreTransaction,
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

/** Checks that the search has not moved since the blocks were read. */
export async function expectCursor(
  transaction: StoreTransaction,
  { definition, firstBlock }: Chain,
  expected: bigint | undefined,
): Promise<void> {
  const row = await transaction
    .selectFrom("cursors")
    .select("next_block")
    .where("chain_id", "=", definition.id)
    .executeTakeFirst();
  if (BigInt(row?.next_block ?? firstBlock) === expected) return;
  throw new ChainMovedError(`another process searched block ${expected} first`);
}

/**
 * Checks that no payment is recorded in a block that a reorg replaced. Another process may record one after this search
 * read the moved payments.
 */
export async function expectSettledInPlace(
  transaction: StoreTransaction,
  { definition }: Chain,
  first: bigint,
): Promise<void> {
  const misplaced = (table: "relayed_deposits" | "transactions") =>
    transaction
      // Both tables have the columns of this query.
      .selectFrom(`${table as "transactions"} as settled`)
      .innerJoin("blocks", (join) =>
        join
          .onRef("blocks.chain_id", "=", "settled.chain_id")
          .onRef("blocks.number", "=", "settled.block_number"),
      )
      .select("settled.hash")
      .where("settled.chain_id", "=", definition.id)
      .where("settled.block_number", ">=", Number(first))
      .whereRef("settled.block_hash", "!=", "blocks.hash");
  const row = await misplaced("transactions")
    .unionAll(misplaced("relayed_deposits"))
    .limit(1)
    .executeTakeFirst();
  if (row !== undefined) throw new ChainMovedError(`${row.hash} was recorded in a vanished block`);
}

/** Whether the search recorded another block at the receipt's height: one of the two is from before a reorg. */
export async function isOutdated(
  transaction: StoreTransaction,
  { definition }: Chain,
  { blockHash, blockNumber }: Pick<TransactionReceipt, "blockHash" | "blockNumber">,
): Promise<boolean> {
  const searched = await transaction
    .selectFrom("blocks")
    .select("hash")
    .where("chain_id", "=", definition.id)
    .where("number", "=", Number(blockNumber))
    .executeTakeFirst();
  return searched !== undefined && searched.hash !== blockHash;
}

export async function setCursor(
  transaction: StoreTransaction,
  chain_id: number,
  next_block: number,
): Promise<void> {
  await transaction
    .insertInto("cursors")
    .values({ chain_id, next_block })
    .onConflict((conflict) => conflict.column("chain_id").doUpdateSet({ next_block }))
    .execute();
}
