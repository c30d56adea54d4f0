import { maxUint256, numberToHex } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import type { QuoteMismatchCode } from "../../../src/guard/index.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import { erc20Data } from "../erc20Data.ts";
import { recipient, type TestSymbol } from "../quotes/intents.ts";
import {
  amountWord,
  attacker,
  orderOf,
  paymentOf,
  replaceWord,
  strayId,
  transactionOf,
} from "../quotes/quoteChanges.ts";

/** What a hostile server makes of an honest answer, between the service and the app. */
export type HostileChange = {
  readonly name: string;
  readonly from: TestSymbol;
  readonly to: TestSymbol;
  readonly sameChain?: boolean;
  /** A difference that the guard must name. Undefined when the payment passes without what was changed. */
  readonly code?: QuoteMismatchCode;
  /** Whether the person's wallet is on the other chain. */
  readonly isOnBeta?: boolean;
  readonly change: (quote: Quote, fixture: EmulatorFixture) => unknown;
};

const oneThousandGwei = numberToHex(1_000n * 10n ** 9n);
const fees = { maxFeePerGas: oneThousandGwei, maxPriorityFeePerGas: oneThousandGwei };
type Pair = Pick<HostileChange, "from" | "isOnBeta" | "sameChain" | "to">;
const native: Pair = { from: "ETH", to: "ETH" };
// Paid through a router, which needs an approval; widgets pay others by a transfer.
const token: Pair = { from: "USDT", to: "USDC" };
const swap: Pair = { from: "ETH", sameChain: true, to: "USDC" };

type Change = (quote: Quote, fixture: EmulatorFixture) => unknown;
type Row = readonly [name: string, code: QuoteMismatchCode | undefined, pair: Pair, change: Change];

/** The recipient is the test's, or the account itself where a page names none. */
const rows: readonly Row[] = [
  ["target", "QUOTE_TARGET", native, (quote) => Object.assign(paymentOf(quote), { to: attacker })],
  [
    "value",
    "QUOTE_VALUE",
    native,
    (quote) => {
      const payment = paymentOf(quote);
      payment.value = `${2n * BigInt(payment.value ?? 0)}`;
    },
  ],
  [
    "order id",
    "QUOTE_ORDER_ID",
    native,
    (quote) => replaceWord(paymentOf(quote), orderOf(quote).protocol.orderId, strayId),
  ],
  ["depositor", "QUOTE_SENDER", native, (quote) => replacePayee(quote, quote.details.sender)],
  [
    "recipient",
    "QUOTE_RECIPIENT",
    native,
    (quote) => {
      quote.details.recipient = attacker;
      orderOf(quote).payment.recipient = attacker;
    },
  ],
  [
    "minimum",
    "QUOTE_OUTPUT",
    native,
    (quote) => {
      quote.details.currencyOut.minimumAmount = "1";
      orderOf(quote).payment.minimumAmount = "1";
    },
  ],
  [
    "display",
    "QUOTE_DISPLAY",
    native,
    ({ details }) => Object.assign(details.currencyOut, { amountFormatted: "1000" }),
  ],
  ["no signature", "QUOTE_SOLVER", native, (quote) => delete orderOf(quote).protocol.orderSignature],
  ["sender", "QUOTE_SENDER", native, (quote) => Object.assign(paymentOf(quote), { from: attacker })],
  [
    "chain",
    "QUOTE_CHAIN",
    { ...native, isOnBeta: true },
    (quote, { beta }) => Object.assign(paymentOf(quote), { chainId: beta.info.id }),
  ],
  [
    "spender",
    "QUOTE_SPENDER",
    token,
    (quote) => {
      const amount = BigInt(quote.details.currencyIn.amount);
      transactionOf(quote, 0).data = erc20Data("approve", attacker, amount);
    },
  ],
  [
    "unlimited approval",
    "QUOTE_AMOUNT",
    token,
    (quote) => replaceWord(transactionOf(quote, 0), amountWord(quote), maxUint256.toString(16)),
  ],
  [
    "extra step",
    "QUOTE_PAYMENT",
    native,
    (quote, { alpha }) => {
      const [step] = structuredClone(quote.steps);
      if (step === undefined) throw new Error("the quote has no step");
      const data = erc20Data("transfer", attacker, 1_000_000n);
      Object.assign(step.items[0]?.data as object, { data, to: alpha.currency("USDC"), value: "0" });
      quote.steps.unshift(step);
    },
  ],
  [
    "swap output",
    "QUOTE_RECIPIENT",
    swap,
    (quote) => {
      const { details } = quote;
      replacePayee(quote, details.recipient === details.sender ? details.sender : recipient);
    },
  ],
  ["fees of 1,000 gwei", undefined, native, (quote) => Object.assign(paymentOf(quote), fees)],
];

const replacePayee = (quote: Quote, payee: string) => replaceWord(paymentOf(quote), payee, attacker);

export const hostileChanges: readonly HostileChange[] = rows.map(([name, code, pair, change]) => ({
  ...pair,
  change,
  ...(code && { code }),
  name,
}));
