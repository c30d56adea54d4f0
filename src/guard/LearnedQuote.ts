import type { QuoteIntent, QuotePolicy } from "../calls/verify/VerifyQuoteParameters.ts";
import { BaseError } from "../errors/BaseError.ts";
import type { QuoteMismatch } from "../errors/QuoteMismatchError.ts";
import type { PaymentIdentity } from "../execute/paymentLedger.ts";
import type { Quote } from "../schema/quote/quote.ts";
import type { Step } from "../schema/quote/step.ts";
import type { GuardItem } from "./GuardItem.ts";
import { startItems } from "./startItems.ts";

/** Limits appended steps, so that the service cannot prolong a quote without end. */
const mostAppendedSteps = 16;

/** A quote of the page, with its proof and the state of its items. */
export type LearnedQuote = {
  readonly request: QuoteIntent;
  readonly quote: Quote;
  readonly appended: Step[];
  /** Identity of the payment, known once a proof has read the quote. */
  payment: (PaymentIdentity & { readonly requestId: string | undefined }) | undefined;
  /** Settles when the latest proof has ended. Never rejects. */
  ready: Promise<void>;
  /** Differences, or why there is no proof. Undefined when the quote is proven. */
  refusal: { readonly reason: string; readonly differences: readonly QuoteMismatch[] } | undefined;
  /** Items of the proven quote; without a proof, those that the app may ask for. */
  items: readonly GuardItem[];
  /** Index of the next open item; those before it were sent or signed. */
  next: number;
  /** Hash of the latest transaction. */
  sentHash: string | undefined;
  /** Proves the quote as it is now. */
  prove(): Promise<void>;
};

/** Parameters of {@link learnQuote}. */
export type LearnQuoteParameters = {
  readonly request: QuoteIntent;
  readonly quote: Quote;
  readonly policy: QuotePolicy | Promise<QuotePolicy>;
  readonly now: () => number;
};

/** Starts the proof of a quote. Owns its arguments: the caller passes copies. */
export function learnQuote({ now, policy, quote, request }: LearnQuoteParameters): LearnedQuote {
  let started: ReturnType<typeof startItems> | undefined;
  const learned: LearnedQuote = {
    appended: [],
    items: [],
    next: 0,
    payment: undefined,
    prove: async () => {
      try {
        // The bounds are asked for once: a price that moves must not change what was proven.
        started ??= Promise.resolve(policy).then((known) => startItems({ policy: known, quote, request }));
        const { differences, readItems } = await (await started)(learned.appended, now());
        const isLong = learned.appended.length > mostAppendedSteps;
        const reason = isLong ? "the service appended too many steps" : "its quote is not proven";
        learned.refusal = isLong || differences.length > 0 ? { differences, reason } : undefined;
        learned.payment ??= identify(quote);
        learned.items = readItems();
      } catch (error) {
        const told = error instanceof BaseError ? `: ${error.shortMessage}` : "";
        const { differences = [] } = learned.refusal ?? {};
        learned.refusal = { differences, reason: `its quote cannot be proven${told.replace(/\.$/, "")}` };
      }
    },
    quote,
    ready: Promise.resolve(),
    refusal: { differences: [], reason: "its quote is not proven yet" },
    request,
    sentHash: undefined,
  };
  learned.ready = learned.prove();
  return learned;
}

/** The proof compares the order's id with its hash. */
function identify({ protocol, steps }: Quote): LearnedQuote["payment"] {
  const { orderData, orderId } = protocol?.v2 ?? {};
  const requestId = steps.find((step) => step.requestId !== undefined)?.requestId;
  const deadline = orderData === undefined ? undefined : orderData.output.deadline * 1_000;
  return { deadline, ids: [orderId, requestId].filter((id) => id !== undefined), requestId };
}
