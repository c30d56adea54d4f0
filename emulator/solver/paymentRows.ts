import type { Expression, ExpressionBuilder, Insertable, SqlBool } from "kysely";
import type { AddressPaymentRow, Store, Tables } from "../store/tables.ts";
import { dueAtOnce } from "./postponed.ts";

/** All writes of the table `address_payments`. Each state is checked against the table of transitions. */

type State = AddressPaymentRow["state"];

/** Events that change the state of a payment to a deposit address, as the page of the lifecycle states them. */
export const paymentTriggers = {
  found: "a search or a reindex finds it, or it is the excess of another payment",
  assigned: "it pays for the request of its address, or for one of its own",
  held: "it is worth less than its sweep, or no account is known to refund it to",
  merged: "a reindex records the money that stayed at the address as one payment",
  "sweep-dropped": "another payment reaches its request before its sweep is signed",
  unassigned: "its request waits for another payment",
  reorged: "a reorg removes it",
  returned: "it is on its chain again, without a sweep",
  "returned-swept": "it is on its chain again, and its sweep is under way or mined",
} as const;

export type PaymentTrigger = keyof typeof paymentTriggers;

/** Every transition of a payment to a deposit address; `new` is one without a row. */
export const paymentTransitions: Readonly<
  Record<State | "new", Readonly<Partial<Record<PaymentTrigger, State>>>>
> = {
  assigned: { reorged: "vanished", "sweep-dropped": "found" },
  found: { assigned: "assigned", held: "held", reorged: "vanished" },
  held: { merged: "merged", reorged: "vanished" },
  merged: { reorged: "vanished" },
  new: { found: "found" },
  vanished: { returned: "found", "returned-swept": "assigned", unassigned: "vanished" },
};

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
