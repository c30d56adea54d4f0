/** Kinds of the solver's paying transactions. */
export const payingKinds = ["fill", "refund"] as const;
export type PayingKind = (typeof payingKinds)[number];
