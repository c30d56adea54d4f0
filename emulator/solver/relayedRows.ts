import type { Expression, ExpressionBuilder, Insertable, SqlBool } from "kysely";
import type { Context } from "../context/Context.ts";
import type { RelayedDepositRow, Store, Tables } from "../store/tables.ts";
import { movePayments } from "./paymentRows.ts";
import { dueAtOnce, postponed, postponedUntil } from "./postponed.ts";

/** All writes of the table `relayed_deposits`. Each state is checked against the table of transitions. */

type State = RelayedDepositRow["state"];

/** Events that change the state of a deposit that the service sends, as the page of the lifecycle states them. */
export const relayedTriggers = {
  accepted: "a signature or calls are accepted, or a payment to a deposit address gets its request",
  handed: "a signature is accepted that works in a transaction of its owner alone",
  signed: "its transaction is signed and stored",
  dropped: "it cannot be made, or another payment reaches its request before it is signed",
  mined: "its transaction is mined",
  reverted: "its transaction is mined and reverted",
  reorged: "a reorg removes its transaction, and the same bytes are sent again",
  voided: "the SVM chain can never execute its transaction",
} as const;

export type RelayedTrigger = keyof typeof relayedTriggers;

/** Every transition of a deposit that the service sends; `new` is one without a row. */
export const relayedTransitions: Readonly<
  Record<State | "new", Readonly<Partial<Record<RelayedTrigger, State>>>>
> = {
  due: { dropped: "dropped", signed: "signed" },
  dropped: {},
  mined: { reorged: "signed" },
  new: { accepted: "due", handed: "returned" },
  returned: {},
  reverted: { reorged: "signed" },
  signed: { mined: "mined", reverted: "reverted", voided: "due" },
};

/** Stores a deposit that the service sends, or that it handed back, in the caller's transaction. */
export async function storeRelayed(
  transaction: Store,
  trigger: "accepted" | "handed",
  values: Omit<Insertable<Tables["relayed_deposits"]>, "state">,
): Promise<void> {
  const state = relayedTransitions.new[trigger] ?? "due";
  await transaction
    .insertInto("relayed_deposits")
    .values({ ...values, state })
    .execute();
}

/**
 * Moves a deposit whose state allows the trigger, and whose transaction has the hash, if one is given; false where another
 * process has moved it.
 */
export async function moveRelayed(
  transaction: Store,
  requestId: string,
  trigger: RelayedTrigger,
  values: Partial<Omit<RelayedDepositRow, "state">> = {},
  hash?: string,
): Promise<boolean> {
  const from = (Object.keys(relayedTransitions) as State[]).filter(
    (each) => trigger in relayedTransitions[each],
  );
  const state = from[0] && relayedTransitions[from[0]][trigger];
  const { numUpdatedRows } = await transaction
    .updateTable("relayed_deposits")
    .set({ ...values, state })
    .where("request_id", "=", requestId)
    .where("state", "in", from)
    .$if(hash !== undefined, (query) => query.where("hash", "=", hash ?? ""))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Drops a deposit that is not signed yet, because another payment reached its request: the user must not pay twice. A
 * payment to a deposit address that it would have swept is judged anew, as the second payment that it is.
 */
export async function dropUnneeded(transaction: Store, requestId: string): Promise<void> {
  await moveRelayed(transaction, requestId, "dropped");
  await movePayments(transaction, (where) => where("request_id", "=", requestId), "sweep-dropped", {
    request_id: null,
  });
}

/** Deletes an unsigned sweep whose payment a reorg removed: its request may get another one. */
export async function deleteSweep(transaction: Store, requestId: string): Promise<void> {
  await transaction
    .deleteFrom("relayed_deposits")
    .where("request_id", "=", requestId)
    .where("state", "=", "due")
    .execute();
}

/** Postpones a deposit whose attempt failed, or which a fault delays until a time of the emulator's clock. */
export async function postponeRelayed(
  row: RelayedDepositRow,
  store: Store,
  context: Pick<Context, "now" | "workTime">,
  until?: number,
): Promise<void> {
  await store
    .updateTable("relayed_deposits")
    .set(until === undefined ? postponed(row, context.workTime()) : postponedUntil(until, context))
    .where("request_id", "=", row.request_id)
    .where("state", "=", row.state)
    .execute();
}

/** Lets the deposits of a condition that are under way be tried at once. */
export async function retryRelayed(
  store: Store,
  condition: (where: ExpressionBuilder<Tables, "relayed_deposits">) => Expression<SqlBool>,
): Promise<void> {
  await store
    .updateTable("relayed_deposits")
    .set(dueAtOnce)
    .where("state", "in", ["due", "signed"])
    .where(condition)
    .execute();
}
