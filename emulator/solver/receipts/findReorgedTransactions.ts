import type { Hex } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import type { RelayedDepositRow, TransactionRow } from "../../store/tables.ts";
import { type Block, type Receipt, readReceipt } from "./readBlocks.ts";

/** Transactions of the solver that a reorg took out of their recorded blocks. */
export type Moved = {
  readonly transactions: readonly {
    readonly row: TransactionRow;
    /** The block that holds it now, and its receipt, if it ended there with the same status. */
    readonly place: { readonly block: Block; readonly receipt: Receipt } | undefined;
  }[];
  readonly relayed: readonly RelayedDepositRow[];
};

/**
 * Finds the solver's transactions that a reorg took out of their blocks.
 *
 * @param isHead Whether the last one is the chain's head.
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
    const receipt = block && (await readReceipt(chain.rpc, row.hash as Hex));
    const isSame = receipt?.isSuccessful === (row.state === "mined");
    transactions.push({ place: block && receipt && isSame ? { block, receipt } : undefined, row });
  }
  return { relayed: relayed.filter(isMoved) as RelayedDepositRow[], transactions };
}
