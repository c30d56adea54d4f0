import type { Transaction } from "kysely";
import type { Tables } from "../../store/tables.ts";

/**
 * Drops a deposit that is not signed yet, because another payment reached its request: the user must not pay twice. A payment
 * to a deposit address that it would have swept is judged anew, as the second payment that it is.
 */
export async function dropUnneeded(transaction: Transaction<Tables>, requestId: string): Promise<void> {
  await transaction
    .updateTable("relayed_deposits")
    .set({ state: "dropped" })
    .where("request_id", "=", requestId)
    .execute();
  await transaction
    .updateTable("address_payments")
    .set({ request_id: null, state: "found" })
    .where("request_id", "=", requestId)
    .where("state", "=", "assigned")
    .execute();
}
