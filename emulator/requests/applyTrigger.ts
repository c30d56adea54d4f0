import type { Address, Hex } from "viem";
import * as z from "zod";
import {
  type FailReason,
  failReasons,
  type RefundFailReason,
  refundFailReasons,
} from "../../src/schema/request/failReason.ts";
import { settleSponsor } from "../money/sponsorLedger.ts";
import { isPostgres } from "../store/dialect/columnTypes.ts";
import type { RequestRow, Store, StoreTransaction, TransactionRow } from "../store/tables.ts";
import { accrueAppFees, revokeAppFees } from "./accrueAppFees.ts";
import { nextStatus, type PaymentOutcome, type Trigger, triggerTowards } from "./transitions.ts";

/**
 * A failed call. `eth_call` reproduces the revert: on the block's state, or, for a mined transaction, on the
 * state of the block before.
 */
export type FailedCall = {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** Block of the chain on which an unsent call was run. */
  readonly blockNumber?: number | undefined;
};

type Reorg = { readonly chainId: number; readonly blockNumber: number; readonly txHash: string };

/** What a change records beyond the status. */
export type Change = {
  readonly trigger: Trigger;
  /** `null` clears an earlier one. */
  readonly failReason?: FailReason | null | undefined;
  readonly refundFailReason?: RefundFailReason | undefined;
  /** Extra context for people and clients, such as decoded revert data. */
  readonly details?: string | undefined;
  /** Transaction that caused the change. */
  readonly txHash?: string | undefined;
  readonly reorg?: Reorg | undefined;
  /** Call that reverted. */
  readonly failedCall?: FailedCall | undefined;
  /** Mined transaction that reverted. */
  readonly failedTx?: { readonly hash: string; readonly blockNumber: number } | undefined;
  /** Block of the deposit. */
  readonly originBlock?: number | undefined;
  /** Milliseconds from the accepted deposit to success. */
  readonly fillTimeMs?: number | undefined;
  /** The arrived amount, or the output of a refund's swap, in smallest units. */
  readonly delivered?: bigint | undefined;
};

/** The part of a {@link Change} that its event keeps. */
const eventDataSchema = z.object({
  details: z.optional(z.string()),
  failReason: z.optional(z.nullable(z.enum(failReasons))),
  refundFailReason: z.optional(z.enum(refundFailReasons)),
  reorg: z.optional(z.object({ chainId: z.int(), blockNumber: z.int(), txHash: z.string() })),
  txHash: z.optional(z.string()),
});

/** Reads `events.data` from its stored form. */
export function parseEventData(json: string): z.output<typeof eventDataSchema> {
  return eventDataSchema.parse(JSON.parse(json));
}

/** The request's status does not allow the trigger. */
export class TransitionRefusedError extends Error {
  override readonly name = "TransitionRefusedError";
}

/**
 * Moves a request and appends the event, in the caller's transaction: both happen or neither. On success, integrators
 * are credited with their app fees. A sponsor pays with the fill, and is repaid if the fill fails.
 */
export async function applyTrigger(
  transaction: StoreTransaction,
  requestId: string,
  change: Change,
  now: number,
): Promise<void> {
  const status = await lockStatus(transaction, requestId);
  const next = nextStatus(status, change.trigger);
  if (next === undefined) {
    throw new TransitionRefusedError(`${change.trigger} cannot happen to ${requestId}, which is ${status}`);
  }
  await transaction
    .updateTable("requests")
    .set({ ...columnsOf(change), status: next, updated_at: now })
    .where("id", "=", requestId)
    .execute();
  await settleSponsor(transaction, requestId, { from: status, to: next }, now);
  if (next === "success") await accrueAppFees(transaction, requestId, now);
  if (status === "success") await revokeAppFees(transaction, requestId);
  const { details, failReason, refundFailReason, reorg, trigger, txHash } = change;
  await transaction
    .insertInto("events")
    .values({
      at: now,
      data: JSON.stringify({
        details,
        failReason,
        refundFailReason,
        reorg,
        txHash,
      } satisfies z.input<typeof eventDataSchema>),
      request_id: requestId,
      status: next,
      trigger,
    })
    .execute();
}

function columnsOf(change: Change) {
  const { details, failedCall, failedTx, failReason, fillTimeMs, originBlock, refundFailReason, trigger } =
    change;
  return {
    // The payment may pay another amount in its next block. A deposit that a reorg removes may return with its fill.
    ...(isPaymentReorged(trigger) && { delivered: null }),
    ...(change.delivered !== undefined && { delivered: change.delivered.toString() }),
    ...(details !== undefined && { details }),
    ...(failedCall !== undefined && columnsOfCall(failedCall)),
    ...(failedTx !== undefined && { failed_tx_block: failedTx.blockNumber, failed_tx_hash: failedTx.hash }),
    ...(failReason !== undefined && { fail_reason: failReason }),
    ...(fillTimeMs !== undefined && { fill_time_ms: fillTimeMs }),
    ...(originBlock !== undefined && { origin_block: originBlock }),
    ...(refundFailReason !== undefined && { refund_fail_reason: refundFailReason }),
  };
}

function isPaymentReorged(trigger: Trigger): boolean {
  return trigger === "fill-reorged" || trigger === "refund-reorged";
}

function columnsOfCall({ blockNumber, data, from, to, value }: FailedCall) {
  return {
    failed_call: JSON.stringify({ data, from, to, value: value.toString() }),
    ...(blockNumber !== undefined && { failed_tx_block: blockNumber, failed_tx_hash: null }),
  };
}

/**
 * Moves a request from any status that a payment can change to the outcome that a chain decided, one transition at a
 * time, in the caller's transaction. A request that already has the outcome stays unchanged.
 */
export async function forceOutcome(
  transaction: StoreTransaction,
  requestId: string,
  outcome: PaymentOutcome,
  change: Omit<Change, "trigger">,
  at: number,
): Promise<void> {
  for (;;) {
    const status = await readStatus(transaction, requestId);
    if (status === outcome) return;
    const trigger = triggerTowards(status, outcome);
    if (trigger === undefined) throw new Error(`${requestId} cannot become ${outcome}: it is ${status}`);
    const isLast = nextStatus(status, trigger) === outcome;
    const step = isLast ? change : { txHash: change.txHash };
    await applyTrigger(transaction, requestId, { ...reasonOf(trigger), ...step, trigger }, at);
  }
}

/** A fill under way has no fail reason; one that failed before a refund was paid had reverted. */
function reasonOf(trigger: Trigger): Pick<Change, "failReason"> {
  if (trigger === "fill-submitted") return { failReason: null };
  return trigger === "fill-failed" ? { failReason: "TRANSACTION_REVERTED" } : {};
}

/** Fields that a mined transaction adds to its request. */
export type Note = Pick<Change, "details" | "refundFailReason">;

/** The note that a transaction was stored with. */
export function noteOf({
  details,
  refund_fail_reason,
}: Pick<TransactionRow, "details" | "refund_fail_reason">): Note {
  return { details: details ?? undefined, refundFailReason: refund_fail_reason ?? undefined };
}

/** Finds a request by its id, in any letter case. */
export async function findRequest(store: Store, requestId: string): Promise<RequestRow | undefined> {
  return store
    .selectFrom("requests")
    .selectAll()
    .where("id", "=", requestId.toLowerCase())
    .executeTakeFirst();
}

/** Finds the request of an order, in any letter case. */
export async function findRequestByOrder(store: Store, orderId: string): Promise<RequestRow | undefined> {
  return store
    .selectFrom("requests")
    .selectAll()
    .where("order_id", "=", orderId.toLowerCase())
    .executeTakeFirst();
}

/** Reads the status of a request, as the caller's transaction sees it. */
export async function readStatus(
  transaction: StoreTransaction,
  requestId: string,
): Promise<RequestRow["status"]> {
  const { status } = await selected(transaction, requestId).executeTakeFirstOrThrow();
  return status;
}

/** Reads the status for a caller that changes it: the row is locked until the transaction ends. */
export async function lockStatus(
  transaction: StoreTransaction,
  requestId: string,
): Promise<RequestRow["status"]> {
  const { status } = await selected(transaction, requestId)
    // SQLite has one writer at a time.
    .$if(isPostgres(transaction), (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  return status;
}

function selected(transaction: StoreTransaction, requestId: string) {
  return transaction.selectFrom("requests").select("status").where("id", "=", requestId);
}
