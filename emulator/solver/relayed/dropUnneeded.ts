import type { Transaction } from "kysely";
import type { Tables } from "../../store/tables.ts";
import { movePayments } from "../deposits/paymentRows.ts";

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
  await movePayments(transaction, (where) => where("request_id", "=", requestId), "sweep-dropped", {
    request_id: null,
  });
}
