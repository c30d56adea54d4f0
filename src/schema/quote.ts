import * as z from "zod";
import { amountSchema } from "./amount.ts";
import { bytes32Schema, signatureSchema } from "./hex.ts";
import { orderDataSchema } from "./order.ts";
import { stepSchema } from "./step.ts";
import { uintStringSchema } from "./wireAmount.ts";
import { wireObject } from "./wireObject.ts";

const amount = amountSchema.optional();
const dollars = wireObject({ usd: z.string().optional() }).optional();
const impact = wireObject({ usd: z.string().optional(), percent: z.string().optional() }).optional();
const slippage = wireObject({
  usd: z.string().optional(),
  value: z.string().optional(),
  percent: z.string().optional(),
}).optional();
const leg = wireObject({
  inputCurrency: amount,
  outputCurrency: amount,
  router: z.string().nullish(),
  includedSwapSources: z.array(z.string()).optional(),
}).optional();

/**
 * Fees of a quote. `relayer` is the sum of `relayerGas` and `relayerService`; amounts may be negative.
 *
 * @example
 * quoteFeesSchema.parse({}); // {}
 */
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

/**
 * What a quote does, in words and amounts.
 *
 * @example
 * quoteDetailsSchema.safeParse({ operation: "bridge" }).success; // false: who pays what is missing
 */
export const quoteDetailsSchema = wireObject({
  /** `bridge`, `swap` or another kind of request. */
  operation: z.string().optional(),
  sender: z.string(),
  recipient: z.string(),
  /** What the user pays, on the origin chain. */
  currencyIn: amountSchema,
  /** What the recipient gets, on the destination chain. */
  currencyOut: amountSchema,
  refundCurrency: amount,
  currencyGasTopup: amount,
  totalImpact: impact,
  swapImpact: impact,
  expandedPriceImpact: wireObject({
    swap: dollars,
    execution: dollars,
    relay: dollars,
    app: dollars,
    sponsored: dollars,
  }).optional(),
  rate: z.string().optional(),
  slippageTolerance: wireObject({
    total: z.string().optional(),
    origin: slippage,
    destination: slippage,
  }).optional(),
  /** Seconds. */
  timeEstimate: z.number().optional(),
  /** Smallest units of the origin currency. */
  userBalance: z.string().nullish(),
  isFixedRate: z.boolean().optional(),
  route: wireObject({ origin: leg, destination: leg }).optional(),
});

/** What a quote does. */
export type QuoteDetails = z.output<typeof quoteDetailsSchema>;

/**
 * The protocol's side of a quote: the order, and where its payment goes.
 *
 * @example
 * quoteProtocolSchema.parse({}); // {}
 */
export const quoteProtocolSchema = wireObject({
  v2: wireObject({
    /** The id that the deposit carries; not the request id. */
    orderId: bytes32Schema,
    hubType: z.string().optional(),
    orderData: orderDataSchema.optional(),
    /** The solver's signature over the order id; only with `includeProtocolData`. */
    orderSignature: signatureSchema.optional(),
    paymentDetails: wireObject({
      /** The protocol's name of the chain. */
      chainId: z.string(),
      depository: z.string(),
      currency: z.string(),
      amount: uintStringSchema,
    }).optional(),
  }).optional(),
});

/** The protocol's side of a quote. */
export type QuoteProtocol = z.output<typeof quoteProtocolSchema>;

/**
 * Answer of `POST /quote/v2`.
 *
 * @example
 * quoteSchema.safeParse({ steps: [] }).success; // false: fees and details are missing
 */
export const quoteSchema = wireObject({
  steps: z.array(stepSchema),
  fees: quoteFeesSchema,
  details: quoteDetailsSchema,
  protocol: quoteProtocolSchema.optional(),
});

/** Answer of `POST /quote/v2`, as the wire carries it. */
export type Quote = z.output<typeof quoteSchema>;
