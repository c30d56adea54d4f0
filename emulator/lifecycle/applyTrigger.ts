import type { Transaction } from "kysely";
import type { FailReason } from "../../src/schema/failReason.ts";
import type { RefundFailReason } from "../../src/schema/refundFailReason.ts";
import type { Tables } from "../store/tables.ts";
import { nextStatus, type Trigger } from "./transitions.ts";

/** What a change says beyond the status. */
export type Change = {
  readonly trigger: Trigger;
  readonly failReason?: FailReason | undefined;
  readonly refundFailReason?: RefundFailReason | undefined;
  /** Extra context for people and clients, such as decoded revert data. */
  readonly details?: string | undefined;
  /** Transaction the change follows from. */
  readonly txHash?: string | undefined;
};

/** A trigger that the request's status does not allow. */
export class TransitionRefusedError extends Error {
  override readonly name = "TransitionRefusedError";
}

/**
 * Moves a request and writes the event, in the caller's transaction: either both happen, with whatever else the caller
 * does, or none.
 *
 * @throws TransitionRefusedError when the request is not in a status that allows it.
 */
export async function applyTrigger(
  transaction: Transaction<Tables>,
  requestId: string,
  change: Change,
  now: number,
): Promise<void> {
  const { status } = await transaction
    .selectFrom("requests")
    .select("status")
    .where("id", "=", requestId)
    .executeTakeFirstOrThrow();
  const next = nextStatus(status, change.trigger);
  if (next === undefined) {
    throw new TransitionRefusedError(`${change.trigger} cannot happen to ${requestId}, which is ${status}`);
  }
  const { details, failReason, refundFailReason, trigger, ...rest } = change;
  await transaction
    .updateTable("requests")
    .set({
      status: next,
      updated_at: now,
      ...(failReason !== undefined && { fail_reason: failReason }),
      ...(refundFailReason !== undefined && { refund_fail_reason: refundFailReason }),
      ...(details !== undefined && { details }),
    })
    .where("id", "=", requestId)
    .execute();
  await transaction
    .insertInto("events")
    .values({
      at: now,
      data: JSON.stringify({ details, failReason, refundFailReason, ...rest }),
      request_id: requestId,
      status: next,
      trigger,
    })
    .execute();
}
