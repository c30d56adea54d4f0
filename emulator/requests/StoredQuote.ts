import * as z from "zod";
import { currencySchema } from "../../src/schema/chain/currency.ts";
import type { Amount } from "../../src/schema/quote/amount.ts";
import type { Quote } from "../../src/schema/quote/quote.ts";
import { uintStringSchema } from "../../src/schema/wire/wireAmount.ts";

const appFeeSchema = z.object({
  recipient: z.string(),
  bps: uintStringSchema,
  /** Smallest units of `appFeeCurrency`. */
  amount: uintStringSchema,
  amountFormatted: z.string(),
  amountUsd: z.string(),
});

/** One share of the input, paid to an integrator. */
export type StoredAppFee = z.output<typeof appFeeSchema>;

/** See `data.quoteOraclePrice` of records of version 3. */
type OraclePrice = {
  readonly inputCurrency: Amount;
  /** What the input was worth. */
  readonly outputCurrency: Amount;
  /** Whole output tokens for one whole input token. */
  readonly rate: string;
  /** ISO 8601. */
  readonly observedAt: string;
};

/**
 * The part of a quote's answer that the request's record repeats. The fields of the answer are only checked to be objects:
 * the emulator wrote them, and checking each of their fields makes a page of 20 records two thirds slower.
 */
const storedQuoteSchema = z.object({
  /** The currency in which app fees accrue; absent from a request without a quote of its own. */
  appFeeCurrency: z.optional(currencySchema),
  appFees: z.array(appFeeSchema),
  details: objectOf<Quote["details"]>(),
  fees: objectOf<Quote["fees"]>(),
  feeSponsorship: z.optional(objectOf<NonNullable<Quote["feeSponsorship"]>>()),
  /** The oracle's price of a fixed rate. */
  oraclePrice: z.optional(objectOf<OraclePrice>()),
  protocol: z.optional(objectOf<NonNullable<Quote["protocol"]>>()),
});

export type StoredQuote = z.output<typeof storedQuoteSchema>;

/** Reads a quote from its stored form. */
export function parseStoredQuote(json: string): StoredQuote {
  return storedQuoteSchema.parse(JSON.parse(json));
}

function objectOf<Value extends object>() {
  return z.custom<Value>((value) => typeof value === "object" && value !== null);
}

/** Writes a quote in its stored form. */
export function serializeStoredQuote(quote: StoredQuote): string {
  return JSON.stringify(quote);
}
