import type { Transaction } from "kysely";
import type { DepositRow, Tables, TransactionRow } from "../../store/tables.ts";
import type { PayingKind } from "../../store/transactionKinds.ts";

/**
 * The payment of the other kind that the same money may make, unless it is replaced: of the deposit itself, or of an advance and
 * the deposit that its request refunds for it.
 *
 * @param kind Kind of the wanted payment.
 */
export async function pairedPayment(
  transaction: Transaction<Tables>,
  { covers, id, request_id, source }: DepositRow,
  kind: PayingKind,
): Promise<TransactionRow | undefined> {
  const advance = source === "payment" && covers !== null ? [covers] : [];
  return transaction
    .selectFrom("transactions")
    .selectAll()
    .where((where) =>
      where.or([
        where("deposit_id", "in", [id, ...advance]),
        where("deposit_id", "in", (query) =>
          query
            .selectFrom("deposits")
            .select("deposits.id")
            .where("covers", "=", id)
            .where("source", "=", "payment")
            .where("deposits.request_id", "=", request_id),
        ),
      ]),
    )
    .where("kind", "=", kind)
    .where("replaced_by", "is", null)
    .executeTakeFirst();
}
