import type { Hex } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import type { RelayedDepositRow, TransactionRow } from "../../store/tables.ts";
import type { Block } from "../receipts/readBlocks.ts";
import { readReceipt } from "../receipts/readReceipt.ts";

/** Transactions of the solver that a reorg took out of their recorded blocks. */
export type Moved = {
  readonly transactions: readonly {
    readonly row: TransactionRow;
    /** The block that holds it now, if it ended there as before. */
    readonly block: Block | undefined;
  }[];
  readonly relayed: readonly RelayedDepositRow[];
};

/**
 * Finds the solver's transactions that a reorg took out of their blocks.
 *
 * @param blocks Consecutive present blocks of the chain.
 * @param isHead Whether the last one is the chain's head.
 * @throws ChainMovedError when another reorg happened meanwhile.
 */
export async function findReorgedTransactions(
  chain: Chain,
  blocks: readonly Block[],
  isHead: boolean,
  { store }: Pick<Context, "store">,
  first = blocks[0]?.number,
): Promise<Moved> {
  if (first === undefined) return { relayed: [], transactions: [] };
  const last = isHead ? Number.MAX_SAFE_INTEGER : Number(blocks.at(-1)?.number ?? first);
  const hashes = new Set<string | null>(blocks.map(({ hash }) => hash));
  const settled = (table: "transactions" | "relayed_deposits") =>
    store
      .selectFrom(table)
      .where("chain_id", "=", chain.definition.id)
      .where("block_number", ">=", Number(first))
      .where("block_number", "<=", last)
      .where("state", "in", ["mined", "reverted"]);
  const [rows, relayed] = await Promise.all([
    settled("transactions").selectAll("transactions").orderBy("nonce").execute(),
    settled("relayed_deposits").selectAll("relayed_deposits").execute(),
  ]);
  const isMoved = ({ block_hash }: Pick<TransactionRow, "block_hash">) => !hashes.has(block_hash);
  const transactions = [];
  for (const row of rows.filter(isMoved) as TransactionRow[]) {
    const block = blocks.find((each) => each.transactions.some(({ hash }) => hash === row.hash));
    const isSame = block !== undefined && (await isAsBefore(chain, row));
    transactions.push({ block: isSame ? block : undefined, row });
  }
  return { relayed: relayed.filter(isMoved) as RelayedDepositRow[], transactions };
}

async function isAsBefore({ rpc }: Chain, { hash, state }: TransactionRow): Promise<boolean> {
  return (await readReceipt(rpc, hash as Hex)).isSuccessful === (state === "mined");
}
