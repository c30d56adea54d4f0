import type { TradeType } from "../../../src/client/index.ts";
import type { TestSymbol } from "../quotes/intents.ts";

/** The quote, the form of its payment, and the only correct end. */
export type PaymentPlan = {
  readonly from: TestSymbol;
  readonly to: TestSymbol;
  /** @default "EXACT_INPUT" */
  readonly tradeType?: TradeType;
  /** Whether the quote stays on its chain. */
  readonly isSameChain?: boolean;
  /** Whether the output is delivered by a call of the quote. */
  readonly hasCall?: boolean;
  /** Whether the user pays by a signature. */
  readonly isSigned?: boolean;
  readonly fills: number;
  readonly refunds: number;
  /** The status of the quoted request at its end. */
  readonly end: "success" | "refund" | "waiting";
  /**
   * Whether the recipient receives the quoted amount, or at least the guaranteed minimum: `least`, if a pool sets the
   * price.
   */
  readonly output: "quoted" | "least";
};

const filled = { end: "success", fills: 1, refunds: 0 } as const;
const returned = { end: "refund", fills: 0, refunds: 1 } as const;
const both = { end: "success", fills: 1, refunds: 1 } as const;
const native = { from: "ETH", output: "quoted", to: "ETH" } as const;
const dollars = { from: "USDC", output: "quoted", to: "USDC" } as const;

/** Each kind of payment. {@link pay} knows the transactions of those that are not paid as quoted. */
export const paymentPlans = {
  "by Permit2": { ...filled, from: "USDT", isSigned: true, output: "least", to: "USDC" },
  "by signature": { ...dollars, ...filled, isSigned: true },
  "fixed output": { ...filled, from: "ETH", output: "least", to: "USDT", tradeType: "EXACT_OUTPUT" },
  native: { ...native, ...filled },
  orphan: { ...native, ...returned },
  overpaid: { ...native, ...filled, output: "least" },
  own: {
    ...{ end: "success", fills: 0, refunds: 0 },
    ...{ from: "ETH", isSameChain: true, output: "least", to: "USDC" },
  },
  parallel: { ...native, ...both },
  "recipient refuses": { ...native, ...returned },
  stranger: { ...native, end: "waiting", fills: 0, refunds: 1 },
  swapped: { ...filled, from: "ETH", output: "least", to: "USDT" },
  "third party": { ...native, ...filled },
  "through the receiver": { ...native, ...filled },
  "to the solver": { ...native, ...filled },
  token: { ...dollars, ...filled },
  "too little": { ...native, ...returned },
  twice: { ...native, ...both },
  "with a call": {
    ...filled,
    ...{ from: "ETH", hasCall: true, output: "quoted", to: "USDC", tradeType: "EXACT_OUTPUT" },
  },
  "wrong chain": { ...native, ...returned },
  "wrong currency": { ...dollars, ...returned },
} as const satisfies Record<string, PaymentPlan>;

export type PaymentKind = keyof typeof paymentPlans;

export const paymentKinds = Object.keys(paymentPlans) as readonly PaymentKind[];
