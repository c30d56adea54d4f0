import { sql } from "kysely";
import type { Address, Hex } from "viem";
import type { Context } from "../../context/Context.ts";
import { faultSubjectColumns } from "../../context/FaultHooks.ts";
import type { StoreTransaction } from "../../store/tables.ts";
import type { PaidTo } from "../receipts/decodePayments.ts";
import type { Block, BlockTransaction } from "../receipts/readBlocks.ts";

/** A payment to the service, with the tag that identifies its request. */
export type FoundDeposit = {
  /**
   * Chain, transaction, tag, currency, and its number among payments with these: the same in every block that a reorg moves it
   * to, whatever else the transaction pays there.
   */
  readonly id: string;
  readonly chainId: number;
  readonly txHash: Hex;
  /** The mined transaction. Its sender may be a relayer rather than the depositor. */
  readonly transaction: Pick<BlockTransaction, "from" | "to" | "value"> & {
    /** Calldata, or the posted JSON of an action on the exchange. */
    readonly input: string;
  };
  /** Fee that the sender paid, in wei. */
  readonly fee: bigint;
  readonly block: Pick<Block, "number" | "hash" | "timestamp">;
  readonly paidTo: PaidTo;
  /** An orderId at the depository, a requestId at the solver. */
  readonly tag: Hex;
  readonly currency: Address;
  readonly amount: bigint;
  /** Input of the transaction's swap into the amount, in smallest units; `undefined` without a swap. */
  readonly paid: bigint | undefined;
  /** Accounts that count as the depositor: the one named, the caller, the signer. */
  readonly depositors: readonly Address[];
};

/** Most tags of one query. */
const tagsAtOnce = 500;

/**
 * Splits each payment that exceeds the advance of its request, in the caller's transaction: the first part covers the advance,
 * and the excess is a deposit of its own, which is refunded as a second one.
 */
export async function splitExcess(
  transaction: StoreTransaction,
  found: readonly FoundDeposit[],
): Promise<readonly FoundDeposit[]> {
  const advances = new Map<string, { amount: string; chain_id: number; currency: string }>();
  for (let from = 0; from < found.length; from += tagsAtOnce) {
    const tags = found.slice(from, from + tagsAtOnce).map(({ tag }) => tag);
    const rows = await transaction
      .selectFrom("requests")
      .innerJoin("deposits", (join) => join.on("deposits.id", "=", sql<string>`'advance:' || requests.id`))
      .select(["requests.id", "order_id", "amount", "chain_id", "currency"])
      .where((where) => where.or([where("requests.id", "in", tags), where("requests.order_id", "in", tags)]))
      .execute();
    for (const row of rows) advances.set(`solver ${row.id}`, row).set(`depository ${row.order_id}`, row);
  }
  return found.flatMap((deposit) => {
    const advance = advances.get(`${deposit.paidTo} ${deposit.tag}`);
    if (advance?.chain_id !== deposit.chainId || advance.currency !== deposit.currency) return [deposit];
    const amount = BigInt(advance.amount);
    if (deposit.amount <= amount) return [deposit];
    const excess = { amount: deposit.amount - amount, fee: 0n, id: `${deposit.id}:excess`, paid: undefined };
    return [
      { ...deposit, amount },
      { ...deposit, ...excess },
    ];
  });
}

/** Number of the first block, or slot, with a deposit that a fault hides for a while. */
export async function firstIgnored(
  found: readonly FoundDeposit[],
  { control, store }: Pick<Context, "control" | "store">,
): Promise<bigint | undefined> {
  if (control.faults.isQuiet()) return undefined;
  for (const { block, tag } of found) {
    const request = await store
      .selectFrom("requests")
      .select(faultSubjectColumns)
      .where((where) => where.or([where("id", "=", tag), where("order_id", "=", tag)]))
      .executeTakeFirst();
    if (request !== undefined && (await control.faults.forDeposit(request)) !== undefined)
      return block.number;
  }
  return undefined;
}
