import type { Transaction } from "kysely";
import type { DepositRow, Tables } from "../../store/tables.ts";

/** Lists the parts of a payment that an advance did not need, oldest first; see `refundExcess`. */
export async function excessesOf(
  transaction: Transaction<Tables>,
  depositId: string,
): Promise<readonly DepositRow[]> {
  return transaction
    .selectFrom("deposits")
    .selectAll()
    .where("covers", "=", depositId)
    .where("source", "=", "excess")
    .orderBy("id")
    .execute();
}

/** The amount of a payment that its own row does not have: its excess is refunded by other requests. */
export async function excessOf(transaction: Transaction<Tables>, depositId: string): Promise<bigint> {
  const rows = await excessesOf(transaction, depositId);
  return rows.reduce((sum, { amount, outcome }) => (outcome === "vanished" ? sum : sum + BigInt(amount)), 0n);
}

/** Whether the solver has signed anything for a deposit. */
export async function isSignedFor(transaction: Transaction<Tables>, depositId: string): Promise<boolean> {
  const signed = await transaction
    .selectFrom("transactions")
    .select("id")
    .where("deposit_id", "=", depositId)
    .limit(1)
    .executeTakeFirst();
  return signed !== undefined;
}
