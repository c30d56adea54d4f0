import { PaymentClaimedError } from "../errors/PaymentClaimedError.ts";

/** Identity of a payment, whatever its form. */
export type PaymentIdentity = {
  /** Unix milliseconds by the caller's clock, after which nothing can pay it; undefined: never. */
  readonly deadline: number | undefined;
  /** Order id and request id. Each alone identifies the payment; letter case is ignored. */
  readonly ids: readonly string[];
};

/** Exclusive right of a holder to pay an identity once. */
export type PaymentClaim = PaymentIdentity & {
  /** Whether a holder works on it. */
  isHeld: boolean;
  /** What may take effect: a state of `execute`, a hash, or any other value. Undefined while nothing was signed. */
  record: unknown;
  /** Reads through the holder's wallet. A guard learns by it whether the holder asks through the guard. */
  ask: ((request: { readonly method: string; readonly params: readonly unknown[] }) => unknown) | undefined;
};

/** Maximum number of claims. Beyond it, the oldest ones without a holder are forgotten. */
const mostClaims = 10_000;

/** The process's payments by id: one ledger for runs and wallet guards. */
export const paymentLedger: Map<string, PaymentClaim> = new Map();

/**
 * Claims a payment before anything is signed for it. Call {@link releasePayment} when the work ends.
 *
 * @param now Unix milliseconds by the caller's clock.
 * @returns A new claim, or that of an earlier holder with its `record`: that payment must be followed, never signed again.
 * @throws PaymentClaimedError while another holder works on it, or if the ids belong to two payments.
 */
export function claimPayment({
  deadline,
  ids,
  now,
}: PaymentIdentity & { readonly now: number }): PaymentClaim {
  const keys = ids.map((id) => id.toLowerCase());
  for (const claim of paymentLedger.values()) {
    const isExcess = paymentLedger.size > mostClaims;
    if (!claim.isHeld && (isExcess || (claim.deadline ?? now + 1) <= now)) forget(claim);
  }
  const [found, ...others] = new Set(keys.flatMap((key) => paymentLedger.get(key) ?? []));
  if (found?.isHeld === true || others.length > 0) throw new PaymentClaimedError(keys[0] ?? "");
  const claim = found ?? { ask: undefined, deadline, ids: keys, isHeld: true, record: undefined };
  claim.isHeld = true;
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
