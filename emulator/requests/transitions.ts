import { type RequestStatus, requestStatuses } from "../../src/schema/request/requestStatus.ts";

/** Events that change a request's status. */
export type Trigger =
  /** The service accepted a signature that pays for it; the deposit is not on the chain yet. */
  | "deposit-confirmed"
  /** A reorg removed the payment to its deposit address before the sweep was signed. */
  | "payment-reorged"
  /** The signed deposit cannot be made, or was mined and reverted: nothing moved. */
  | "deposit-failed"
  /** Its deposit was found on the origin chain and matches the quote. */
  | "deposit-accepted"
  /** Its deposit was found and does not match: it is refunded. */
  | "deposit-refused"
  /** A reorg removed its deposit before anything was signed for it, or after it was filled. */
  | "deposit-reorged"
  /** The removed deposit is on its chain again. */
  | "deposit-returned"
  /** The wallet signed its claim of app fees: the payout is due. */
  | "claim-signed"
  /** The payout cannot be sent, or was mined and reverted: the balance is as before. */
  | "claim-failed"
  /** The solver fills before the deposit is found. */
  | "fast-fill-begun"
  /** That fill cannot be sent, or was mined and reverted: the request waits for its deposit again. */
  | "fast-fill-released"
  /**
   * The transaction that does everything on one chain was mined, sent by the user or by the service for its
   * signature.
   */
  | "own-succeeded"
  /** That transaction was mined and reverted: nothing moved. */
  | "own-failed"
  /** A reorg removed that transaction. */
  | "own-reorged"
  /** The fill was signed, stored and sent. */
  | "fill-submitted"
  /** The fill was mined and succeeded. */
  | "fill-succeeded"
  /** A reorg removed the fill: it is sent again. */
  | "fill-reorged"
  /** The fill cannot be sent, or was mined and reverted: the deposit is refunded. */
  | "fill-failed"
  /** The failure is shown for a while before the refund; only under a fault. */
  | "failure-shown"
  /** The refund is due after a failure was shown. */
  | "refund-begun"
  /** The refund was mined. */
  | "refund-succeeded"
  /** A reorg removed the refund: it is sent again. */
  | "refund-reorged"
  /** The refund failed too. */
  | "refund-failed";

/**
 * Every transition. A trigger that a status does not list cannot happen in it: the caller has a bug, or is late
 * and must not act.
 *
 * A request whose fill failed stays `pending` until its refund is mined, because clients stop at `failure`.
 * `failure` is kept for money that could not be refunded and for deposits that a reorg removed. Success and
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

/** Triggers of the solver's own payments: they lead from any outcome that a chain decided to any other. */
const paymentTriggers: readonly Trigger[] = [
  "fill-submitted",
  "fill-succeeded",
  "fill-failed",
  "fill-reorged",
  "refund-begun",
  "refund-succeeded",
  "refund-reorged",
];

/** Statuses that a payment can force; see `forceOutcome`. */
export type PaymentOutcome = "pending" | "submitted" | "success" | "refund";

/**
 * The first trigger on the shortest way of payments from `status` to `outcome`, by {@link transitions}.
 *
 * @returns `undefined` at the outcome itself, and where no such way exists.
 */
export function triggerTowards(status: RequestStatus, outcome: PaymentOutcome): Trigger | undefined {
  const firstSteps = new Map<RequestStatus, Trigger | undefined>([[outcome, undefined]]);
  // A map iterates over entries added meanwhile: this is a breadth-first search backwards from the outcome.
  for (const [target] of firstSteps) {
    for (const from of requestStatuses) {
      const trigger = paymentTriggers.find((each) => transitions[from][each] === target);
      if (trigger !== undefined && !firstSteps.has(from)) firstSteps.set(from, trigger);
    }
  }
  return firstSteps.get(status);
}
