/** Transactions of the solver that pay. */
export const payingKinds = ["fill", "refund"] as const;
export type PayingKind = (typeof payingKinds)[number];
