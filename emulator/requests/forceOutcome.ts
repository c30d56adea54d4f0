import type { Transaction } from "kysely";
import type { RequestStatus } from "../../src/schema/requestStatus.ts";
import type { Tables, TransactionRow } from "../store/tables.ts";
import { applyTrigger, type Change } from "./applyTrigger.ts";
import { statusOf } from "./statusOf.ts";
import type { Trigger } from "./transitions.ts";

type Step = Readonly<Partial<Record<RequestStatus, Trigger>>>;

/** The way of a request from wherever it is to an end that a chain has decided. */
const ways: Readonly<Record<"success" | "refund", Step>> = {
  refund: {
    failure: "refund-begun",
    pending: "refund-succeeded",
    submitted: "fill-failed",
    success: "fill-reorged",
  },
  success: {
    failure: "refund-begun",
    pending: "fill-submitted",
    refund: "refund-reorged",
    submitted: "fill-succeeded",
  },
};

/**
 * Takes a request to `success` or `refund`, whatever it was told before, by the transitions that there are, in the caller's
 * transaction.
 *
 * @param change Of the last step; the ones before tell of the transaction alone.
 */
export async function endAs(
  transaction: Transaction<Tables>,
  requestId: string,
  end: "success" | "refund",
  change: Omit<Change, "trigger">,
  at: number,
): Promise<void> {
  for (;;) {
    const status = await statusOf(transaction, requestId);
    if (status === end) return;
    const trigger = ways[end][status];
    if (trigger === undefined) throw new Error(`${requestId} cannot end as ${end}: it is ${status}`);
    const { txHash } = change;
    const isLast = trigger === "fill-succeeded" || trigger === "refund-succeeded";
    const step: Change = isLast ? { ...change, trigger } : { trigger, txHash, ...reasonOf(trigger) };
    await applyTrigger(transaction, requestId, step, at);
  }
}

/** Why the money goes back: the fill had reverted before it was paid, or it would not have been refunded. */
function reasonOf(trigger: Trigger): Pick<Change, "failReason"> {
  if (trigger === "fill-submitted") return { failReason: null };
  return trigger === "fill-failed" ? { failReason: "TRANSACTION_REVERTED" } : {};
}

/** What a request learns from a transaction once it is mined, besides the fact. */
export type Note = Pick<Change, "details" | "refundFailReason">;

/** What is noted of a payment beside another one for the same deposit: what it brought, in smallest units. */
export type Standing = Note & { readonly delivered?: string | undefined };

/** Ends a request with the one of two payments that is still there, in the caller's transaction. */
export async function standAlone(
  transaction: Transaction<Tables>,
  { hash, kind, note, request_id }: TransactionRow,
  at: number,
): Promise<void> {
  const { delivered, ...told } = JSON.parse(note ?? "{}") as Standing;
  const change = { ...told, txHash: hash, ...(delivered !== undefined && { delivered: BigInt(delivered) }) };
  await endAs(transaction, request_id, kind === "fill" ? "success" : "refund", change, at);
}
