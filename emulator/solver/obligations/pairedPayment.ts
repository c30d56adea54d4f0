import type { Transaction } from "kysely";
import type { Tables, TransactionRow } from "../../store/tables.ts";
import type { PayingKind } from "../../store/transactionKinds.ts";

/**
 * The payment of another kind that the same money may make, unless it is replaced. A request fills or refunds one deposit: its
 * own, or the one that covers its advance.
 *
 * @param kind Kind of the wanted payment.
 */
export async function pairedPayment(
  transaction: Transaction<Tables>,
  { request_id }: Pick<TransactionRow, "request_id">,
  kind: PayingKind,
): Promise<TransactionRow | undefined> {
  return transaction
    .selectFrom("transactions")
    .selectAll()
    .where("request_id", "=", request_id)
    .where("kind", "=", kind)
    .where("replaced_by", "is", null)
    .executeTakeFirst();
}
