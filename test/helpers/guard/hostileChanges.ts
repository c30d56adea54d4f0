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
  change(quote: Quote, fixture: EmulatorFixture): void;
};

const oneThousandGwei = numberToHex(1_000n * 10n ** 9n);
const native = { from: "ETH", to: "ETH" } as const;
// Paid through a router, which needs an approval; widgets pay others by a transfer.
const token = { from: "USDT", to: "USDC" } as const;

/** The recipient is the test's, or the account itself where a page names none. */
export const hostileChanges: readonly HostileChange[] = [
  {
    ...native,
    change: (quote) => {
      paymentOf(quote).to = attacker;
    },
    code: "QUOTE_TARGET",
    name: "target",
  },
  {
    ...native,
    change: (quote) => {
      const payment = paymentOf(quote);
      payment.value = `${2n * BigInt(payment.value ?? 0)}`;
    },
    code: "QUOTE_VALUE",
    name: "value",
  },
  {
    ...native,
    change: (quote) => replaceWord(paymentOf(quote), orderOf(quote).protocol.orderId, strayId),
    code: "QUOTE_ORDER_ID",
    name: "order id",
  },
  {
    ...native,
    change: (quote) => replaceWord(paymentOf(quote), quote.details.sender, attacker),
    code: "QUOTE_SENDER",
    name: "depositor",
  },
  {
    ...native,
    change: (quote) => {
      quote.details.recipient = attacker;
      orderOf(quote).payment.recipient = attacker;
    },
    code: "QUOTE_RECIPIENT",
    name: "recipient",
  },
  {
    ...native,
    change: (quote) => {
      quote.details.currencyOut.minimumAmount = "1";
      orderOf(quote).payment.minimumAmount = "1";
    },
    code: "QUOTE_OUTPUT",
    name: "minimum",
  },
  {
    ...native,
    change: (quote) => {
      quote.details.currencyOut.amountFormatted = "1000";
    },
    code: "QUOTE_DISPLAY",
    name: "display",
  },
  {
    ...native,
    change: (quote) => {
      delete orderOf(quote).protocol.orderSignature;
    },
    code: "QUOTE_SOLVER",
    name: "no signature",
  },
  {
    ...native,
    change: (quote) => {
      paymentOf(quote).from = attacker;
    },
    code: "QUOTE_SENDER",
    name: "sender",
  },
  {
    ...native,
    change: (quote, { beta }) => {
      paymentOf(quote).chainId = beta.info.id;
    },
    code: "QUOTE_CHAIN",
    isOnBeta: true,
    name: "chain",
  },
  {
    ...token,
    change: (quote) => {
      const amount = BigInt(quote.details.currencyIn.amount);
      transactionOf(quote, 0).data = erc20Data("approve", attacker, amount);
    },
    code: "QUOTE_SPENDER",
    name: "spender",
  },
  {
    ...token,
    change: (quote) => replaceWord(transactionOf(quote, 0), amountWord(quote), maxUint256.toString(16)),
    code: "QUOTE_AMOUNT",
    name: "unlimited approval",
  },
  {
    ...native,
    change: (quote, { alpha }) => {
      const [step] = structuredClone(quote.steps);
      if (step === undefined) throw new Error("the quote has no step");
      const data = {
        data: erc20Data("transfer", attacker, 1_000_000n),
        to: alpha.currency("USDC"),
        value: "0",
      };
      Object.assign(step.items[0]?.data as object, data);
      quote.steps.unshift(step);
    },
    code: "QUOTE_PAYMENT",
    name: "extra step",
  },
  {
    from: "ETH",
    change: (quote) => {
      const payment = paymentOf(quote);
      const payee = quote.details.recipient === quote.details.sender ? quote.details.sender : recipient;
      replaceWord(payment, payee, attacker);
    },
    code: "QUOTE_RECIPIENT",
    name: "swap output",
    sameChain: true,
    to: "USDC",
  },
  {
    ...native,
    change: (quote) => {
      Object.assign(paymentOf(quote), {
        maxFeePerGas: oneThousandGwei,
        maxPriorityFeePerGas: oneThousandGwei,
      });
    },
    name: "fees of 1,000 gwei",
  },
];
