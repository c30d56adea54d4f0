import { claimPayment, type PaymentClaim, paymentLedger, releasePayment } from "../execute/paymentLedger.ts";
import type { LearnedQuote } from "./LearnedQuote.ts";
import { Refused } from "./Refused.ts";

/** Payments kept of runs, whose claims may end without a record. */
const mostPaid = 10_000;
const noPayment = { deadline: undefined, ids: [], requestId: undefined };

/** How a request ended: sent or signed, surely not, or with an open outcome. */
export type Outcome = { readonly sentHash: string | undefined } | "open" | "unknown";

/** Whether the holder of a claim asks through this guard. */
export type Holds = (claim: PaymentClaim) => Promise<boolean>;

/** A guard's claims in the process's ledger, which runs of `execute` share. */
export class GuardClaims {
  readonly #now: () => number;
  readonly #paid = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Finds the run of `execute` that holds a payment and asks for it through this guard. */
  async findRun({ payment = noPayment }: LearnedQuote, holds: Holds): Promise<PaymentClaim | undefined> {
    for (const id of payment.ids) {
      const claim = paymentLedger.get(id.toLowerCase());
      if (claim?.isHeld === true && (await holds(claim))) return claim;
    }
    return undefined;
  }

  /**
   * Claims a payment, unless `run` still holds it.
   *
   * @returns The function that ends the claim.
   * @throws Refused
   */
  claim({ payment = noPayment }: LearnedQuote, run: PaymentClaim | undefined): (outcome: Outcome) => void {
    const ids = payment.ids.map((id) => id.toLowerCase());
    if (ids.some((id) => this.#paid.has(id))) throw new Refused("its order was paid before");
    const isByRun = run?.isHeld === true && ids.some((id) => paymentLedger.get(id) === run);
    const claim = isByRun ? undefined : this.#claim(payment);
    return (outcome) => {
      if (outcome !== "open") for (const id of ids) this.#paid.add(id);
      for (const id of this.#paid) if (this.#paid.size > mostPaid) this.#paid.delete(id);
      if (claim === undefined) return;
      if (outcome !== "open") claim.record = outcome;
      releasePayment(claim);
    };
  }

  #claim(payment: typeof noPayment | NonNullable<LearnedQuote["payment"]>): PaymentClaim {
    let claim: PaymentClaim;
    try {
      claim = claimPayment({ ...payment, now: this.#now() });
    } catch {
      throw new Refused("its order is being paid");
    }
    if (claim.record === undefined) return claim;
    releasePayment(claim);
    throw new Refused("its order was paid before");
  }
}
