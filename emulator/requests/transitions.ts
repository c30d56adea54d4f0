import { type RequestStatus, requestStatuses } from "../../src/schema/requestStatus.ts";

/** What can happen to a request. */
export type Trigger =
  /** The service took a signature that pays for it; the deposit is not on the chain yet. */
  | "deposit-confirmed"
  /** The deposit cannot be made with that signature: nothing moved. */
  | "deposit-failed"
  /** Its deposit was found on the origin chain, and is what the quote asked for. */
  | "deposit-accepted"
  /** Its deposit was found, and is not: it goes back. */
  | "deposit-refused"
  /** Its deposit is not on the origin chain any more, and nothing has been signed for it; or it was filled already. */
  | "deposit-reorged"
  /** The deposit that had vanished is there again. */
  | "deposit-returned"
  /** The transaction that does everything on one chain was mined: the user's own, or what he signed. */
  | "own-succeeded"
  /** It was mined and reverted: nothing moved. */
  | "own-failed"
  /** It is not on its chain any more. */
  | "own-reorged"
  /** The fill was signed, stored and sent. */
  | "fill-submitted"
  /** The fill was mined and did what it should. */
  | "fill-succeeded"
  /** The fill is not on its chain any more: it is sent again. */
  | "fill-reorged"
  /** The fill cannot be sent, or was mined and reverted: the deposit goes back. */
  | "fill-failed"
  /** The failure is shown for a while before the deposit goes back; only where that is asked for. */
  | "failure-shown"
  /** That while is over. */
  | "refund-begun"
  /** The refund was mined. */
  | "refund-succeeded"
  /** The refund is not on its chain any more: it is sent again. */
  | "refund-reorged"
  /** The deposit cannot be given back either. */
  | "refund-failed";

/**
 * Every transition there is. A trigger that a status does not list cannot happen in it; whoever tries has a bug, or is
 * late and must not act.
 *
 * A request whose fill failed stays `pending` until its refund is mined: `failure` would be read as final by clients
 * that stop there, and is kept for money that could not be given back, and for deposits that vanished. Success and refund
 * are final as long as the chain keeps the block that brought them.
 */
export const transitions: Readonly<Record<RequestStatus, Readonly<Partial<Record<Trigger, RequestStatus>>>>> =
  {
    depositing: {
      "deposit-accepted": "pending",
      "deposit-failed": "failure",
      "deposit-refused": "pending",
      "own-succeeded": "success",
    },
    failure: { "deposit-returned": "pending", "own-reorged": "waiting", "refund-begun": "pending" },
    pending: {
      "deposit-reorged": "failure",
      "failure-shown": "failure",
      "fill-failed": "pending",
      "fill-submitted": "submitted",
      "refund-failed": "failure",
      "refund-succeeded": "refund",
    },
    refund: { "refund-reorged": "pending" },
    submitted: { "fill-failed": "pending", "fill-succeeded": "success" },
    success: { "deposit-reorged": "failure", "fill-reorged": "submitted", "own-reorged": "waiting" },
    waiting: {
      "deposit-accepted": "pending",
      "deposit-confirmed": "depositing",
      "deposit-refused": "pending",
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
  // A map iterates over entries added meanwhile: a breadth-first search backwards from the outcome.
  for (const [target] of firstSteps) {
    for (const from of requestStatuses) {
      const trigger = paymentTriggers.find((each) => transitions[from][each] === target);
      if (trigger !== undefined && !firstSteps.has(from)) firstSteps.set(from, trigger);
    }
  }
  return firstSteps.get(status);
}
