import type { Expression, ExpressionBuilder, Insertable, SqlBool } from "kysely";
import type { AddressPaymentRow, Store, Tables } from "../../store/tables.ts";

import { dueAtOnce } from "../postponed.ts";
import { type PaymentTrigger, paymentTransitions } from "./paymentTransitions.ts";

/** All writes of the table `address_payments`. Each state is checked against the table of transitions. */

type State = AddressPaymentRow["state"];

/** Records payments that have no request yet, in the caller's transaction. */
export async function insertPayments(
  transaction: Store,
  payments: readonly Omit<Insertable<Tables["address_payments"]>, "state">[],
): Promise<void> {
  const rows = payments.map((payment) => ({ ...payment, state: "found" as const }));
  await transaction.insertInto("address_payments").values(rows).execute();
}

type Changes = Partial<Pick<AddressPaymentRow, "amount" | "block_number" | "request_id">>;

/** Moves the payments of a condition whose state allows the trigger to their next state. */
export async function movePayments(
  store: Store,
  condition: (where: ExpressionBuilder<Tables, "address_payments">) => Expression<SqlBool>,
  trigger: PaymentTrigger,
  values: Changes = {},
): Promise<number> {
  const from = (Object.keys(paymentTransitions) as State[]).filter(
    (each) => trigger in paymentTransitions[each],
  );
  const state = from[0] && paymentTransitions[from[0]][trigger];
  const { numUpdatedRows } = await store
    .updateTable("address_payments")
    .set({ ...values, state })
    .where(condition)
    .where("state", "in", from)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Moves one payment; see {@link movePayments}. */
export async function movePayment(
  transaction: Store,
  { id }: Pick<AddressPaymentRow, "id">,
  trigger: PaymentTrigger,
  values?: Changes,
): Promise<void> {
  const moved = await movePayments(transaction, (where) => where("id", "=", id), trigger, values);
  if (moved === 0) throw new Error(`${trigger} cannot happen to payment ${id} in its state`);
}

/** Records the block of a payment, which a reorg may change. */
export async function relocatePayment(
  transaction: Store,
  { block_number, id }: Pick<AddressPaymentRow, "block_number" | "id">,
): Promise<void> {
  await transaction.updateTable("address_payments").set({ block_number }).where("id", "=", id).execute();
}

/** Sets when the assignment of found payments is tried again: at once by default. */
export async function retryPayments(
  store: Store,
  which: Partial<Pick<AddressPaymentRow, "address" | "chain_id" | "id">>,
  when: Pick<AddressPaymentRow, "attempts" | "not_before"> = dueAtOnce,
): Promise<void> {
  await store
    .updateTable("address_payments")
    .set(when)
    .where((where) => where.and({ ...which, state: "found" as const }))
    .execute();
}
