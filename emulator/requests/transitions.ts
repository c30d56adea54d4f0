import type { RequestStatus } from "../../src/schema/request/requestStatus.ts";

/** Events that change a request's status, as the page of the lifecycle states them. */
export const triggers = {
  "deposit-confirmed":
    "the service accepts a signature or gasless calls to deposit with, or finds a payment to its deposit address",
  "payment-reorged": "a reorg removes that payment before its sweep is signed",
  "deposit-failed": "that deposit cannot be made, or is mined and reverted: nothing moved",
  "deposit-accepted": "a deposit that matches the quote is found",
  "deposit-refused": "a deposit of the request that does not match is found: it is refunded",
  "deposit-reorged": "a reorg removes the deposit before anything was signed for it, or after its fill",
  "deposit-returned":
    "that deposit is on its chain again; if its fill is still mined, the request continues to `success` at once",
  "claim-signed": "the wallet signs its claim of app fees: the payout is due",
  "claim-failed": "that payout cannot be sent, or is mined and reverted: the balance is as before",
  "fast-fill-begun": "a fast fill is accepted: the solver fills before the deposit is found",
  "fast-fill-released":
    "that fill cannot be sent, or is mined and reverted: the request waits for its deposit again",
  "own-succeeded":
    "the transaction that does everything on one chain is mined, sent by the user or by the service for its signature",
  "own-failed": "that transaction is mined and reverted: nothing moved",
  "own-reorged": "a reorg removes that transaction",
  "fill-submitted": "the fill is signed, stored and sent",
  "fill-succeeded": "the fill is mined",
  "fill-failed": "the fill cannot be sent, or is mined and reverted: the deposit is refunded",
  "fill-reorged": "a reorg removes the fill: it is sent again",
  "failure-shown": "the fault `transient-failure` shows the failure before the refund",
  "refund-begun": "the refund begins after a failure was shown",
  "refund-succeeded": "the refund is mined",
  "refund-failed": "the refund cannot be made, or is mined and reverted, or the quote named no `refundTo`",
  "refund-reorged": "a reorg removes the refund: it is sent again",
} as const;

export type Trigger = keyof typeof triggers;

/**
 * Every transition. A trigger that a status does not list cannot happen in it: the caller has a bug, or is late and
 * must not act. A request whose fill failed stays `pending` until its refund is mined, because clients stop at
 * `failure`. `failure` is kept for money that could not be refunded and for deposits that a reorg removed. Success and
 * refund are final as long as the chain keeps their block.
 */
export const transitions: Readonly<Record<RequestStatus, Readonly<Partial<Record<Trigger, RequestStatus>>>>> =
  {
    depositing: {
      "deposit-accepted": "pending",
      "deposit-failed": "failure",
      "deposit-refused": "pending",
      "fast-fill-begun": "pending",
      "own-succeeded": "success",
      "payment-reorged": "waiting",
    },
    failure: { "deposit-returned": "pending", "own-reorged": "waiting", "refund-begun": "pending" },
    pending: {
      "claim-failed": "failure",
      "deposit-reorged": "failure",
      "failure-shown": "failure",
      "fast-fill-released": "waiting",
      "fill-failed": "pending",
      "fill-submitted": "submitted",
      "refund-failed": "failure",
      "refund-succeeded": "refund",
    },
    refund: { "refund-reorged": "pending" },
    submitted: {
      "claim-failed": "failure",
      "fast-fill-released": "waiting",
      "fill-failed": "pending",
      "fill-succeeded": "success",
    },
    success: { "deposit-reorged": "failure", "fill-reorged": "submitted", "own-reorged": "waiting" },
    waiting: {
      "claim-signed": "pending",
      "deposit-accepted": "pending",
      "deposit-confirmed": "depositing",
      "deposit-refused": "pending",
      "fast-fill-begun": "pending",
      "own-failed": "failure",
      "own-succeeded": "success",
    },
  };

/** The status after `trigger`, or `undefined` when it cannot happen in `status`. */
export function nextStatus(status: RequestStatus, trigger: Trigger): RequestStatus | undefined {
  return transitions[status][trigger];
}

/** Statuses that a payment can force; see `forceOutcome`. */
export type PaymentOutcome = "pending" | "submitted" | "success" | "refund";

/**
 * The first trigger on the shortest way of the solver's payments from `status` to `outcome`: they lead from any outcome
 * that a chain decided to any other.
 */
export function triggerTowards(status: RequestStatus, outcome: PaymentOutcome): Trigger | undefined {
  if (status === outcome) return undefined;
  switch (status) {
    case "failure":
      return "refund-begun";
    case "pending":
      return outcome === "refund" ? "refund-succeeded" : "fill-submitted";
    case "refund":
      return "refund-reorged";
    case "submitted":
      return outcome === "success" ? "fill-succeeded" : "fill-failed";
    case "success":
      return "fill-reorged";
    default:
      return undefined;
  }
}
