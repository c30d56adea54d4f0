import * as z from "zod/mini";
import { depositAddressTypeSchema } from "../request/depositAddressType.ts";
import { failReasonSchema, refundFailReasonSchema } from "../request/failReason.ts";
import { requestFeatureSchema } from "../request/requestFeature.ts";
import { requestStatusSchema } from "../request/requestStatus.ts";
import { requestTypeSchema } from "../request/requestType.ts";
import { callDataSchema } from "../wire/callData.ts";
import { intStringSchema } from "../wire/wireAmount.ts";
import { wireMap, wireObject } from "../wire/wireObject.ts";
import { feeSponsorshipSchema } from "./feeSponsorship.ts";
import { recordAmountSchema, recordCurrencySchema } from "./recordAmount.ts";
import { recordTransactionSchema } from "./recordTransaction.ts";
import { requestProtocolSchema } from "./requestProtocol.ts";

const text = z.nullish(z.string());
const amount = z.nullish(recordAmountSchema);
const currency = z.nullish(recordCurrencySchema);
const units = z.nullish(intStringSchema);

const appFeeFields = {
  recipient: text,
  /** Basis points. */
  bps: text,
  /** Smallest units of the currency next to the lists. */
  amount: units,
  amountFormatted: text,
};

/** App fees of a request record: quoted and paid. */
export type RequestAppFees = z.output<typeof requestAppFeesSchema>;
export const requestAppFeesSchema = wireObject({
  quoted: z.nullish(z.array(wireObject(appFeeFields))),
  actual: z.nullish(z.array(wireObject({ ...appFeeFields, amountUsd: text }))),
  currency,
});

const component = z.nullish(
  wireObject({
    /** Negative for a loss of the user. */
    usd: text,
    /** Smallest units of the currency next to the phases; may be absent once the request is filled. */
    amount: units,
    amountFormatted: text,
  }),
);
const phase = z.nullish(
  wireObject({
    swap: component,
    execution: component,
    platform: component,
    app: component,
    sponsored: component,
  }),
);

/** Fees of a request record by component, in dollars. In version 2, this field was the gas fee in wei. */
export type RequestFees = z.output<typeof requestFeesSchema>;
export const requestFeesSchema = wireObject({ quoted: phase, actual: phase, currency });

const side = { inputCurrency: amount, outputCurrency: amount, router: text };
const sources = z.nullish(z.array(z.string()));

/**
 * Route of a request record. `actual` equals `quoted` until execution.
 *
 * - deposited: `actual.origin.inputCurrency`
 * - quoted output: `actual.destination.inputCurrency`
 * - received: `actual.destination.outputCurrency`, or `actual.origin.outputCurrency` of a same-chain swap
 */
export type RequestRoute = z.output<typeof requestRouteSchema>;
export const requestRouteSchema = wireObject({
  includedSwapSources: sources,
  includedOriginSwapSources: sources,
  includedDestinationSwapSources: sources,
  quoted: z.nullish(
    wireObject({ origin: z.nullish(wireObject(side)), destination: z.nullish(wireObject(side)) }),
  ),
  actual: z.nullish(
    wireObject({
      rate: text,
      /** `router` is the filler of the leg. */
      origin: z.nullish(wireObject(side)),
      destination: z.nullish(wireObject({ ...side, currencyGasTopup: amount })),
    }),
  ),
});

/** The `data` of a request record of version 3. */
export type RequestData = z.output<typeof requestDataSchema>;
export const requestDataSchema = wireObject({
  /** Basis points. */
  slippageTolerance: text,
  /** Null while there is none. */
  failReason: z.nullish(failReasonSchema),
  /** Null while there is none. */
  refundFailReason: z.nullish(refundFailReasonSchema),
  failedTxHash: text,
  failedTxBlockNumber: z.nullish(z.number()),
  failedCallData: z.nullish(callDataSchema),
  usesExternalLiquidity: z.nullish(z.boolean()),
  /** Seconds. */
  timeEstimate: z.nullish(z.number()),
  triggeredByFastFill: z.nullish(z.boolean()),
  inTxs: z.optional(z.array(recordTransactionSchema)),
  outTxs: z.optional(z.array(recordTransactionSchema)),
  appFees: z.nullish(requestAppFeesSchema),
  feeSponsorship: z.nullish(feeSponsorshipSchema),
  fees: z.nullish(requestFeesSchema),
  /** Visible only to the app that made the request. */
  platformFee: z.nullish(wireMap(z.unknown())),
  /** Visible only to the app that made the request, with `includeAuthenticatedData`. */
  referrer: text,
  route: z.nullish(requestRouteSchema),
  /** Only for apps with a fixed spread to an oracle's rate, in basis points. */
  quoteOraclePrice: z.nullish(
    wireObject({ rate: text, observedAt: text, inputCurrency: amount, outputCurrency: amount }),
  ),
  refundCurrencyData: amount,
  externalMetadata: z.nullish(wireObject({ moonpayId: text })),
});

/** A request record, version 3. */
export type RequestRecord = z.output<typeof requestSchema>;
export const requestSchema = wireObject({
  /** The request id. */
  id: z.string(),
  status: requestStatusSchema,
  /** Account that made the request. */
  user: text,
  sender: text,
  recipient: text,
  /** Refund account of a deposit address, if set. */
  refundTo: text,
  depositAddress: z.nullish(
    wireObject({
      address: text,
      type: z.optional(depositAddressTypeSchema),
      depositor: text,
      depositTxHash: text,
      /** Account that can recover the funds on the origin chain if the recipient is blocked later. */
      recoveryAddress: text,
    }),
  ),
  requestType: z.nullish(requestTypeSchema),
  /** The request that took over the funds after a deposit address was requoted. */
  supersededByRequestId: text,
  data: z.nullish(requestDataSchema),
  protocol: z.nullish(requestProtocolSchema),
  features: z.nullish(z.array(requestFeatureSchema)),
  /** ISO 8601. */
  createdAt: text,
  /** ISO 8601. */
  updatedAt: text,
});

/** Response of `GET /requests/v3`. */
export type RequestsPage = z.output<typeof requestsPageSchema>;
export const requestsPageSchema = wireObject({
  requests: z.array(requestSchema),
  /** Cursor of the next page; absent on the last one. */
  continuation: z.nullish(z.string()),
  /** Total number of matching requests; only with `includeTotal`. */
  total: z.nullish(z.number()),
});
