import { sql, type Transaction } from "kysely";
import type { Tables } from "../../../store/tables.ts";
import type { FoundDeposit } from "./findDeposits.ts";

/** Most tags of one query. */
const tagsAtOnce = 500;

/**
 * Splits each payment that exceeds the advance of its request, in the caller's transaction: the first part covers the advance,
 * and the excess is a deposit of its own, which is refunded as a second one.
 */
export async function splitExcess(
  transaction: Transaction<Tables>,
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
