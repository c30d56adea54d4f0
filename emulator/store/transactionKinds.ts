/** Transactions of the solver that pay. */
export const payingKinds = ["fill", "refund"] as const;
export type PayingKind = (typeof payingKinds)[number];

/**
 * One that does nothing, in place of one that must not be mined. A deposit can have several, and no two transactions of
 * one kind: each is a kind of its own. Databases of earlier versions have it without a number.
 */
export type CancelKind = "cancel" | `cancel-${number}`;

export function isCancel(kind: string): kind is CancelKind {
  return kind.startsWith("cancel");
}
