import type { Currency } from "../../src/schema/currency.ts";
import type { Quote } from "../../src/schema/quote.ts";

/** What a request's record repeats of the answer to its quote. */
export type StoredQuote = Pick<Quote, "details" | "fees" | "protocol"> & {
  /** In which app fees accrue; absent from requests that no quote was asked for. */
  readonly appFeeCurrency?: Currency | undefined;
  /** What integrators asked to be paid, with the amounts that come of it. */
  readonly appFees: readonly StoredAppFee[];
};

/** One share of the input. */
export type StoredAppFee = {
  readonly recipient: string;
  readonly bps: string;
  /** Smallest units of `appFeeCurrency`. */
  readonly amount: string;
  readonly amountFormatted: string;
  readonly amountUsd: string;
};

/** Reads a quote from its stored form. */
export function parseStoredQuote(json: string): StoredQuote {
  return JSON.parse(json) as StoredQuote;
}

/** Writes a quote in its stored form. */
export function serializeStoredQuote(quote: StoredQuote): string {
  return JSON.stringify(quote);
}
