import * as z from "zod/mini";
import { feeSponsorshipV2Schema } from "../record/feeSponsorshipV2.ts";
import { wireObject } from "../wire/wireObject.ts";
import { amountSchema } from "./amount.ts";
import { paidDetailFields, paidQuoteSchema } from "./paidQuote.ts";

const amount = z.optional(amountSchema);
const dollars = z.optional(wireObject({ usd: z.optional(z.string()) }));
const impact = z.optional(wireObject({ usd: z.optional(z.string()), percent: z.optional(z.string()) }));
const slippage = z.optional(
  wireObject({
    usd: z.optional(z.string()),
    value: z.optional(z.string()),
    percent: z.optional(z.string()),
  }),
);
const leg = z.optional(
  wireObject({
    inputCurrency: amount,
    outputCurrency: amount,
    router: z.nullish(z.string()),
    includedSwapSources: z.optional(z.array(z.string())),
  }),
);

/** Fees of a quote. `relayer` is the sum of `relayerGas` and `relayerService`; amounts may be negative. */
export type QuoteFees = z.output<typeof quoteFeesSchema>;
export const quoteFeesSchema = wireObject({
  /** Gas of the origin transactions. */
  gas: amount,
  relayer: amount,
  relayerGas: amount,
  relayerService: amount,
  app: amount,
  subsidized: amount,
});

/** Summary of a quote. */
export type QuoteDetails = z.output<typeof quoteDetailsSchema>;
export const quoteDetailsSchema = wireObject({
  /** `bridge`, `swap` or another kind of request. */
  operation: z.optional(z.string()),
  ...paidDetailFields,
  refundCurrency: amount,
  totalImpact: impact,
  swapImpact: impact,
  expandedPriceImpact: z.optional(
    wireObject({
      swap: dollars,
      execution: dollars,
      relay: dollars,
      app: dollars,
      sponsored: dollars,
    }),
  ),
  rate: z.optional(z.string()),
  slippageTolerance: z.optional(
    wireObject({
      total: z.optional(z.string()),
      origin: slippage,
      destination: slippage,
    }),
  ),
  /** Seconds. */
  timeEstimate: z.optional(z.number()),
  /** Smallest units of the origin currency. */
  userBalance: z.nullish(z.string()),
  fallbackType: z.nullish(z.string()),
  isFixedRate: z.optional(z.boolean()),
  fixedRateFee: dollars,
  route: z.optional(wireObject({ origin: leg, destination: leg })),
});

/** Response of `POST /quote/v2`, in wire format. */
export type Quote = z.output<typeof quoteSchema>;
export const quoteSchema = wireObject({
  ...paidQuoteSchema.shape,
  fees: quoteFeesSchema,
  feeSponsorship: z.nullish(feeSponsorshipV2Schema),
  details: quoteDetailsSchema,
});
