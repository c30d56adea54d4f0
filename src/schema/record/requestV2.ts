import * as z from "zod/mini";
import { failReasonSchema, refundFailReasonSchema } from "../request/failReason.ts";
import { depositAddressSchema } from "../request/polledStatus.ts";
import { requestStatusV2Schema } from "../request/status.ts";
import { callDataSchema } from "../wire/callData.ts";
import { intStringSchema } from "../wire/wireAmount.ts";
import { wireMap, wireObject } from "../wire/wireObject.ts";
import { feeSponsorshipV2Schema } from "./feeSponsorshipV2.ts";
import { recordAmountSchema, recordCurrencySchema, recordPaymentSchema } from "./recordAmount.ts";
import { recordTransactionV2Schema } from "./recordTransaction.ts";
import { requestProtocolSchema } from "./requestProtocol.ts";

/** Deprecation notice in a response. Times are ISO 8601. */
export type Deprecation = z.output<typeof deprecationSchema>;
export const deprecationSchema = wireObject({
  message: z.string(),
  deprecatedAt: z.nullish(z.string()),
  /** Start of the reduced rate limit. */
  throttledFrom: z.nullish(z.string()),
  sunsetAt: z.nullish(z.string()),
  /** Address of the endpoint that replaces it. */
  successor: z.nullish(z.string()),
  /** URL of the migration guide. */
  migrationGuide: z.nullish(z.string()),
});

const text = z.nullish(z.string());
const sources = z.optional(z.array(z.string()));
const units = z.nullish(intStringSchema);
const amount = z.nullish(recordAmountSchema);
const currency = z.nullish(recordCurrencySchema);
const dollars = z.nullish(wireObject({ usd: text }));
const impact = z.nullish(
  wireObject({ swap: dollars, execution: dollars, relay: dollars, app: dollars, sponsored: dollars }),
);
const appFees = z.nullish(
  z.array(
    wireObject({
      recipient: text,
      /** Basis points. */
      bps: text,
      /** Smallest units of the app fee currency. */
      amount: units,
      amountUsd: text,
      amountUsdCurrent: text,
    }),
  ),
);
const leg = z.nullish(
  wireObject({
    inputCurrency: amount,
    outputCurrency: amount,
    router: text,
    includedSwapSources: sources,
  }),
);
const place = z.nullish(
  wireObject({
    chainId: z.nullish(z.number()),
    address: text,
    currencyId: text,
    decimals: z.nullish(z.number()),
  }),
);

/** The intent and its result, in a request record of version 2. */
export type RequestMetadataV2 = z.output<typeof requestMetadataV2Schema>;
export const requestMetadataV2Schema = wireObject({
  sender: text,
  recipient: text,
  currencyIn: amount,
  currencyOut: amount,
  currencyGasTopup: amount,
  rate: text,
  quoteOraclePrice: z.nullish(
    wireObject({
      rate: text,
      inputAmount: units,
      outputAmount: units,
      observedAt: text,
      from: place,
      to: place,
    }),
  ),
  route: z.nullish(wireObject({ origin: leg, destination: leg })),
  /** Set when a reorg removed the deposit. */
  reorg: z.optional(z.unknown()),
});

const gasFeesFields = { gas: text, fixed: text, price: text, gateway: text };

/** The `data` of a request record of version 2. */
export type RequestDataV2 = z.output<typeof requestDataV2Schema>;
export const requestDataV2Schema = wireObject({
  /** Basis points. */
  slippageTolerance: text,
  /** `N/A` while there is none. */
  failReason: z.nullish(failReasonSchema),
  /** `N/A` while there is none. */
  refundFailReason: z.nullish(refundFailReasonSchema),
  /** The request that took over the funds after a deposit address was requoted. */
  supersededByRequestId: text,
  failedTxHash: text,
  failedTxBlockNumber: z.nullish(z.number()),
  failedCallData: z.nullish(callDataSchema),
  subsidizedRequest: z.nullish(z.boolean()),
  /** Smallest units of the fee currency. */
  fees: z.nullish(wireObject({ gas: units, fixed: units, price: units, gateway: units })),
  feesUsd: z.nullish(wireObject(gasFeesFields)),
  inTxs: z.optional(z.array(recordTransactionV2Schema)),
  outTxs: z.optional(z.array(recordTransactionV2Schema)),
  /** Id of the origin currency, for example `usdc`. */
  currency: text,
  currencyObject: currency,
  feeCurrency: text,
  feeCurrencyObject: currency,
  appFeeCurrencyObject: currency,
  refundCurrencyData: amount,
  /** As quoted. */
  appFees,
  /** As paid. */
  paidAppFees: appFees,
  subsidizedFee: z.nullish(
    wireObject({
      origin: z.nullish(recordPaymentSchema),
      sponsor: z.nullish(recordPaymentSchema),
      amountUsd: text,
      amountUsdCurrent: text,
    }),
  ),
  feeSponsorship: z.nullish(feeSponsorshipV2Schema),
  expandedPriceImpact: z.nullish(wireObject({ quoted: impact, actual: impact })),
  /** Visible only to the app that made the request. */
  platformFee: z.nullish(wireMap(z.unknown())),
  metadata: z.nullish(requestMetadataV2Schema),
  /** The output as quoted, in smallest units. */
  price: units,
  usesExternalLiquidity: z.nullish(z.boolean()),
  /** Seconds. */
  timeEstimate: z.nullish(z.number()),
  triggeredByFastFill: z.nullish(z.boolean()),
});

/** A request record of version 2. Deprecated by the service, which retires it on 24 November 2026. */
export type RequestV2 = z.output<typeof requestV2Schema>;
export const requestV2Schema = wireObject({
  /** The request id. */
  id: z.string(),
  status: requestStatusV2Schema,
  /** Account that made the request. */
  user: text,
  recipient: text,
  depositAddress: z.nullish(depositAddressSchema),
  data: z.nullish(requestDataV2Schema),
  protocol: z.nullish(requestProtocolSchema),
  /** Only with `includeOrderData`. Pending public requests omit the output. */
  orderData: z.optional(z.unknown()),
  referrer: text,
  /** A partner's id of the request. */
  moonpayId: text,
  /** ISO 8601. */
  createdAt: text,
  /** ISO 8601. */
  updatedAt: text,
});

/** Response of `GET /requests/v2`. */
export type RequestsV2Page = z.output<typeof requestsV2PageSchema>;
export const requestsV2PageSchema = wireObject({
  requests: z.array(requestV2Schema),
  /** Cursor of the next page; absent on the last one. */
  continuation: z.nullish(z.string()),
  deprecation: z.nullish(deprecationSchema),
});
