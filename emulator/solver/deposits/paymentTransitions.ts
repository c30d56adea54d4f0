import type { AddressPaymentRow } from "../../store/tables.ts";

type State = AddressPaymentRow["state"];

/** Events that change the state of a payment to a deposit address, as the page of the lifecycle states them. */
export const paymentTriggers = {
  found: "a search or a reindex finds it, or it is the excess of another payment",
  assigned: "it pays for the request of its address, or for one of its own",
  held: "it is worth less than its sweep, or no account is known to refund it to",
  merged: "a reindex records the money that stayed at the address as one payment",
  "sweep-dropped": "another payment reaches its request before its sweep is signed",
  unassigned: "its request waits for another payment",
  reorged: "a reorg removes it",
  returned: "it is on its chain again, without a sweep",
  "returned-swept": "it is on its chain again, and its sweep is under way or mined",
} as const;

export type PaymentTrigger = keyof typeof paymentTriggers;

/** Every transition of a payment to a deposit address; `new` is one without a row. */
export const paymentTransitions: Readonly<
  Record<State | "new", Readonly<Partial<Record<PaymentTrigger, State>>>>
> = {
  assigned: { reorged: "vanished", "sweep-dropped": "found" },
  found: { assigned: "assigned", held: "held", reorged: "vanished" },
  held: { merged: "merged", reorged: "vanished" },
  merged: { reorged: "vanished" },
  new: { found: "found" },
  vanished: { returned: "found", "returned-swept": "assigned", unassigned: "vanished" },
};
