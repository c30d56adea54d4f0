import * as z from "zod/mini";
import { feeSponsorshipV2Schema } from "../record/feeSponsorshipV2.ts";
import { bytes32Schema, signatureSchema } from "../wire/hex.ts";
import { openEnum } from "../wire/openEnum.ts";
import { uintStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";
import { amountSchema } from "./amount.ts";
import { orderDataSchema } from "./order.ts";
import { stepSchema } from "./step.ts";

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
export const quoteFeesSchema = wireObject({
  /** Gas of the origin transactions. */
  gas: amount,
  relayer: amount,
  relayerGas: amount,
  relayerService: amount,
  app: amount,
  subsidized: amount,
});

/** Fees of a quote. */
export type QuoteFees = z.output<typeof quoteFeesSchema>;

/** Summary of a quote. */
export const quoteDetailsSchema = wireObject({
  /** `bridge`, `swap` or another kind of request. */
  operation: z.optional(z.string()),
  sender: z.string(),
  recipient: z.string(),
  /** The user's payment, on the origin chain. */
  currencyIn: amountSchema,
  /** The recipient's output, on the destination chain. */
  currencyOut: amountSchema,
  refundCurrency: amount,
  currencyGasTopup: amount,
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

/** Summary of a quote. */
export type QuoteDetails = z.output<typeof quoteDetailsSchema>;

/** Protocol data of a quote: the order, and the recipient of its payment. */
export const quoteProtocolSchema = wireObject({
  v2: z.optional(
    wireObject({
      /** Id in the deposit; not the request id. */
      orderId: bytes32Schema,
      hubType: z.optional(openEnum(["onchain"])),
      orderData: z.optional(orderDataSchema),
      /** The solver's signature over the order id; only with `includeProtocolData`. */
      orderSignature: z.optional(signatureSchema),
      paymentDetails: z.optional(
        wireObject({
          /** The chain's protocol name. */
          chainId: z.string(),
          depository: z.string(),
          currency: z.string(),
          amount: uintStringSchema,
        }),
      ),
    }),
  ),
});

/** Protocol data of a quote. */
export type QuoteProtocol = z.output<typeof quoteProtocolSchema>;

/** Response of `POST /quote/v2`. */
export const quoteSchema = wireObject({
  steps: z.array(stepSchema),
  fees: quoteFeesSchema,
  feeSponsorship: z.nullish(feeSponsorshipV2Schema),
  details: quoteDetailsSchema,
  protocol: z.optional(quoteProtocolSchema),
});

/** Response of `POST /quote/v2`, in wire format. */
export type Quote = z.output<typeof quoteSchema>;
