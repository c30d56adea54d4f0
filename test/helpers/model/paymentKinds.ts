import type { GetQuoteParameters, TradeType } from "../../../src/client/index.ts";
import { symbols, type TestSymbol } from "../quotes/intents.ts";
import type { Draws } from "../seededDraws.ts";

/** A ledger in place of the payer's EVM chain. Its currency is USDC, unless a plan swaps on the SVM chain. */
export type OtherLedger = "exchange" | "svm";

/** The quote, the form of its payment, and the only correct end. */
export type PaymentPlan = {
  readonly from: TestSymbol;
  readonly to: TestSymbol;
  /** @default "EXACT_INPUT" */
  readonly tradeType?: TradeType;
  /** Cents of the fixed side. @default 2500 */
  readonly cents?: number;
  /** Whether the quote stays on its chain. */
  readonly isSameChain?: boolean;
  /** Whether the output is delivered by a call of the quote. */
  readonly hasCall?: boolean;
  /** Whether the user pays by a signature. */
  readonly isSigned?: boolean;
  /** The ledger of the payment. @default an EVM chain */
  readonly payIn?: OtherLedger;
  /** The ledger of the recipient. @default an EVM chain */
  readonly payOut?: OtherLedger;
  /** Token of the SVM chain that pools trade for USDC. @default USDC itself */
  readonly svmToken?: string;
  /** Further parameters of the quote. */
  readonly terms?: Partial<GetQuoteParameters>;
  /** Whether the solver advances the fill. */
  readonly isAdvanced?: boolean;
  readonly fills: number;
  readonly refunds: number;
  /** The status of the quoted request at its end. */
  readonly end: "success" | "refund" | "failure" | "waiting";
  /** Whether the recipient receives the quoted amount, or at least the minimum, because a pool sets the price. */
  readonly output: "quoted" | "least";
};

const filled = { end: "success", fills: 1, refunds: 0 } as const;
const returned = { end: "refund", fills: 0, refunds: 1 } as const;
const both = { end: "success", fills: 1, refunds: 1 } as const;
const native = { from: "ETH", output: "quoted", to: "ETH" } as const;
const dollars = { from: "USDC", output: "quoted", to: "USDC" } as const;
const sold = { ...dollars, output: "least", svmToken: "JUP" } as const;
// Of a pool so deep that all payments of a campaign move it less than a fixed output bears: the service's fee, six basis points.
const bought = { ...dollars, output: "least", svmToken: "RENDER" } as const;

const sponsor = { subsidizeFees: true };
const open = { useDepositAddress: true };
const strict = { strict: true, useDepositAddress: true };

/** Each kind of payment. {@link pay} knows the transactions of those that are not paid as quoted. */
export const paymentPlans = {
  "by Permit2": { ...filled, from: "USDT", isSigned: true, output: "least", to: "USDC" },
  "by plain transfer, another amount": {
    ...{ ...native, end: "waiting", fills: 1, output: "least", refunds: 0, terms: open },
  },
  "by plain transfer, recovered": { ...native, ...returned, terms: strict },
  "by plain transfer, strict": { ...dollars, ...filled, terms: strict },
  "by plain transfer, too much": { ...native, ...both, terms: strict },
  "by signature": { ...dollars, ...filled, isSigned: true },
  // Replaced by `drawPlan`.
  drawn: { ...native, ...filled },
  "fast filled": { ...native, ...filled, isAdvanced: true },
  "fast filled for a sponsor": {
    ...{ ...dollars, ...filled, isAdvanced: true, terms: { ...sponsor, topupGas: true } },
  },
  "fees claimed": { ...dollars, ...filled },
  "from SVM, too little": { ...dollars, ...returned, payIn: "svm" },
  "from SVM, swapped, fast filled": { ...sold, ...filled, isAdvanced: true, payIn: "svm" },
  "from SVM, swapped, fixed output to the exchange": {
    ...{ ...sold, ...filled, payIn: "svm", payOut: "exchange", tradeType: "EXACT_OUTPUT" },
  },
  "from the exchange to SVM for a sponsor": {
    ...{ ...dollars, ...filled, payIn: "exchange", payOut: "svm", terms: sponsor },
  },
  "from the exchange, too little": { ...dollars, ...returned, payIn: "exchange" },
  gasless: { ...dollars, ...filled },
  native: { ...native, ...filled },
  orphan: { ...native, ...returned },
  overpaid: { ...native, ...filled, output: "least" },
  parallel: { ...native, ...both },
  "recipient refuses": { ...native, ...returned },
  stranger: { ...native, end: "waiting", fills: 0, refunds: 1 },
  "third party": { ...native, ...filled },
  "through the receiver": { ...native, ...filled },
  "to SVM, fast filled": { ...dollars, ...filled, isAdvanced: true, payOut: "svm" },
  "to SVM, swapped, for a sponsor": { ...bought, ...filled, payOut: "svm", terms: sponsor },
  "to the exchange by plain transfer": { ...dollars, ...filled, payOut: "exchange", terms: strict },
  "to the solver": { ...native, ...filled },
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

const isNative = (symbol: TestSymbol) => symbol === "ETH" || symbol === "WETH";

/** Draws currencies, trade type, amount and app fees of an intent on EVM chains. */
export function drawPlan(draws: Draws): PaymentPlan {
  const isSameChain = draws.chance(0.25);
  const [from, to] = [draws.pick(symbols), draws.pick(symbols)];
  const isWithoutPool = isNative(from) ? isNative(to) : from === "USDC" && to === "USDC";
  const fees = Array.from({ length: draws.pick([0, 0, 1, 3]) }, () => ({
    fee: `${draws.whole(1, 150)}`,
    recipient: draws.address(),
  }));
  return {
    ...(isSameChain ? { ...filled, fills: 0, isSameChain } : filled),
    cents: draws.whole(2_000, 30_000),
    from,
    output: isWithoutPool ? "quoted" : "least",
    terms: { appFees: fees },
    to,
    tradeType: draws.pick(["EXACT_INPUT", "EXACT_OUTPUT", "EXPECTED_OUTPUT"] as const),
  };
}
