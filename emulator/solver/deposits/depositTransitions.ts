import type { DepositState } from "../../store/tables/paymentTables.ts";

/** Events that change a deposit's state, as the page of the lifecycle states them. */
export const depositTriggers = {
  accepted: "a deposit that matches the quote is found, a claim is signed, or a fast fill is accepted",
  refused: "a deposit that does not match the quote is found, or returns after its fill failed",
  "advance-covered": "it covers the advance of its fast-filled request",
  "advance-failed": "the fill of that advance cannot be sent, or is mined and reverted",
  "fill-signed": "the fill is signed and stored",
  "fill-failed": "the fill cannot be sent, or is mined and reverted",
  "fill-resumed": "a reorg removes the reverted fill, or the deposit returns with its fill",
  "refund-signed": "the refund is signed and stored",
  "refund-failed": "the refund cannot be made, or is mined and reverted",
  "refund-resumed": "the deposit returns with its refund",
  released:
    "the fill of a claim or an advance cannot be sent, or is mined and reverted, or the deposit is found before the advance is signed",
  reorged: "a reorg removes the deposit",
} as const;

export type DepositTrigger = keyof typeof depositTriggers;

/**
 * Every transition of a deposit; `new` is one without a row. A trigger that a state does not list cannot happen in it:
 * the caller has a bug, or is late and must not act. A deposit pays once: from `fill-signed` and `refund-signed` the
 * other is reached only after the first reverted, or was cancelled.
 */
export const depositTransitions: Readonly<
  Record<DepositState | "new", Readonly<Partial<Record<DepositTrigger, DepositState>>>>
> = {
  abandoned: { "fill-resumed": "fill-signed", reorged: "vanished" },
  "fill-due": {
    "fill-failed": "refund-due",
    "fill-signed": "fill-signed",
    released: "released",
    reorged: "vanished",
  },
  "fill-signed": {
    "fill-failed": "refund-due",
    released: "released",
    reorged: "vanished",
  },
  netted: { "advance-failed": "refund-due", reorged: "netted-vanished" },
  "netted-vanished": { accepted: "fill-due", "advance-covered": "netted", refused: "refund-due" },
  new: { accepted: "fill-due", "advance-covered": "netted", refused: "refund-due" },
  "refund-due": {
    "fill-resumed": "fill-signed",
    "refund-failed": "abandoned",
    "refund-signed": "refund-signed",
    reorged: "vanished",
  },
  "refund-signed": { "refund-failed": "abandoned", reorged: "vanished" },
  released: {},
  vanished: {
    accepted: "fill-due",
    "fill-resumed": "fill-signed",
    "refund-failed": "abandoned",
    "refund-resumed": "refund-signed",
    refused: "refund-due",
  },
};

/** @throws Error when the trigger cannot happen in the state. */
export function nextDepositState(state: DepositState | "new", trigger: DepositTrigger): DepositState {
  const next = depositTransitions[state][trigger];
  if (next === undefined) throw new Error(`${trigger} cannot happen to a deposit that is ${state}`);
  return next;
}
