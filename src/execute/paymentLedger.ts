import { PaymentClaimedError } from "../errors/PaymentClaimedError.ts";
import { PaymentLimitError } from "../errors/PaymentLimitError.ts";

/** Identity of a payment, whatever its form. */
export type PaymentIdentity = {
  /** Unix milliseconds by the caller's clock, after which nothing can pay it; undefined: never. */
  readonly deadline: number | undefined;
  /** Order id and request id. Each alone identifies the payment; letter case is ignored. */
  readonly ids: readonly string[];
};

/** Exclusive right of a holder to pay an identity once. */
export type PaymentClaim = Pick<PaymentIdentity, "ids"> & {
  /** Time of the process's monotonic clock, a day after the deadline. The clocks of its callers may be wrong. */
  expiresAt: number;
  /** Whether a holder works on it. */
  isHeld: boolean;
  /** What may take effect: a state of `execute`, a hash, or any other value. Undefined while nothing was signed. */
  record: unknown;
  /** Reads through the holder's wallet. A guard learns by it whether the holder asks through the guard. */
  ask: ((request: { readonly method: string; readonly params: readonly unknown[] }) => unknown) | undefined;
};

/** Maximum number of open claims. None is forgotten for another one. */
const mostClaims = 100_000;

/** The process's payments by id: one ledger for runs and wallet guards. */
export const paymentLedger: Map<string, PaymentClaim> = new Map();

/**
 * Claims a payment before anything is signed for it, until {@link releasePayment}. A claim with a `record` was an earlier
 * holder's: that payment must be followed, never signed again.
 *
 * @param now Unix milliseconds by the caller's clock.
 * @throws PaymentClaimedError while another holder works on it, or if the ids belong to two payments; PaymentLimitError
 * while 100,000 other payments are open.
 */
export function claimPayment({ deadline, ids, now }: PaymentIdentity & { now: number }): PaymentClaim {
  const keys = ids.map((id) => id.toLowerCase());
  const time = performance.now();
  const expiresAt = deadline === undefined ? Number.POSITIVE_INFINITY : time + deadline - now + 86_400_000;
  for (const claim of paymentLedger.values()) if (!claim.isHeld && claim.expiresAt <= time) forget(claim);
  const [found, ...others] = new Set(keys.flatMap((key) => paymentLedger.get(key) ?? []));
  if (found?.isHeld === true || others.length > 0) throw new PaymentClaimedError(keys[0] ?? "");
  // A claim has several keys, so fewer keys are fewer claims.
  const isFull = paymentLedger.size >= mostClaims && new Set(paymentLedger.values()).size >= mostClaims;
  if (found === undefined && isFull) throw new PaymentLimitError(mostClaims);
  const claim = found ?? { ask: undefined, expiresAt, ids: keys, isHeld: true, record: undefined };
  claim.isHeld = true;
  claim.expiresAt = Math.max(claim.expiresAt, expiresAt);
  for (const key of claim.ids) paymentLedger.set(key, claim);
  return claim;
}

/** Ends a holder's work. Without a `record`, nothing was signed, and the payment may be made anew. */
export function releasePayment(claim: PaymentClaim): void {
  claim.isHeld = false;
  claim.ask = undefined;
  if (claim.record === undefined) forget(claim);
}

function forget({ ids }: PaymentClaim): void {
  for (const id of ids) paymentLedger.delete(id);
}

/**
 * Forgets every payment of the process. For tests against an emulator that went back to an earlier state, whose ids begin
 * again. Anywhere else, the process could pay twice.
 *
 * @example
 * import { forgetPayments } from "waybill/execute";
 *
 * // After `POST /admin/reset` of an emulator in another process; one in this process does it by itself.
 * forgetPayments();
 */
export function forgetPayments(): void {
  paymentLedger.clear();
}
