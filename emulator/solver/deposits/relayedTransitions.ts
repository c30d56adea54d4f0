import type { RelayedDepositRow } from "../../store/tables.ts";

type State = RelayedDepositRow["state"];

/** Events that change the state of a deposit that the service sends, as the page of the lifecycle states them. */
export const relayedTriggers = {
  accepted: "a signature or calls are accepted, or a payment to a deposit address gets its request",
  handed: "a signature is accepted that works in a transaction of its owner alone",
  signed: "its transaction is signed and stored",
  dropped: "it cannot be made, or another payment reaches its request before it is signed",
  mined: "its transaction is mined",
  reverted: "its transaction is mined and reverted",
  reorged: "a reorg removes its transaction, and the same bytes are sent again",
  voided: "the SVM chain can never execute its transaction",
} as const;

export type RelayedTrigger = keyof typeof relayedTriggers;

/** Every transition of a deposit that the service sends; `new` is one without a row. */
export const relayedTransitions: Readonly<
  Record<State | "new", Readonly<Partial<Record<RelayedTrigger, State>>>>
> = {
  due: { dropped: "dropped", signed: "signed" },
  dropped: {},
  mined: { reorged: "signed" },
  new: { accepted: "due", handed: "returned" },
  returned: {},
  reverted: { reorged: "signed" },
  signed: { mined: "mined", reverted: "reverted", voided: "due" },
};
