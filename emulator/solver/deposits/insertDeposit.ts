import type { Insertable, Transaction } from "kysely";
import type { Tables } from "../../store/tables.ts";

/** Stores a deposit, in the caller's transaction. One that covered an advance before a reorg removed it is judged anew. */
export async function insertDeposit(
  transaction: Transaction<Tables>,
  values: Insertable<Tables["deposits"]>,
): Promise<void> {
  const open = { claimed_until: null, covers: null, not_before: null, reason: null, todo: null };
  const row = { ...open, tx_status: "success" as const, ...values };
  await transaction
    .insertInto("deposits")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
    .execute();
}
