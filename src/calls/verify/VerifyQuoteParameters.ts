import type { Chain } from "../../schema/chain.ts";
import type { Quote } from "../../schema/quote.ts";
import type { QuoteLimits } from "./checkDetails.ts";
import type { QuoteIntent } from "./readWanted.ts";

/** What is known to be right, whatever a quote says. */
export type QuotePolicy = QuoteLimits & {
  /** `chains` of `GET /chains`; the contracts and solvers of the quote's chains may be paid. */
  chains?: readonly Chain[] | undefined;
  /** Contracts of the service on the origin chain that may be paid and approved, beside those of `chains`. */
  contracts?: readonly string[] | undefined;
  /** Solvers, beside those of `chains`. */
  solvers?: readonly string[] | undefined;
  /** Unix milliseconds. Default the present. */
  now?: number | undefined;
};

/** Parameters of `verifyQuote`. */
export type VerifyQuoteParameters = QuotePolicy & {
  quote: Quote;
  /** What was given to `getQuote`. Without it, the quote is only looked through for contradictions. */
  request?: QuoteIntent | undefined;
};
