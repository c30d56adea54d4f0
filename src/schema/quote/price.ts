import type * as z from "zod/mini";
import { wireObject } from "../wire/wireObject.ts";
import { quoteDetailsSchema, quoteFeesSchema } from "./quote.ts";
import { quoteRequestSchema } from "./quoteRequest.ts";

const { shape } = quoteRequestSchema;

/**
 * Body of `POST /price`: the part of a quote's that has an influence on the price. Like a quote's, it lets unknown
 * fields pass.
 */
export type PriceRequest = z.output<typeof priceRequestSchema>;
export const priceRequestSchema = wireObject({
  user: shape.user,
  recipient: shape.recipient,
  originChainId: shape.originChainId,
  destinationChainId: shape.destinationChainId,
  originCurrency: shape.originCurrency,
  destinationCurrency: shape.destinationCurrency,
  amount: shape.amount,
  tradeType: shape.tradeType,
  txs: shape.txs,
  referrer: shape.referrer,
  refundTo: shape.refundTo,
  refundOnOrigin: shape.refundOnOrigin,
  useExternalLiquidity: shape.useExternalLiquidity,
  useFallbacks: shape.useFallbacks,
  usePermit: shape.usePermit,
  useDepositAddress: shape.useDepositAddress,
  slippageTolerance: shape.slippageTolerance,
  appFees: shape.appFees,
});

/** Response of `POST /price`: a quote without steps, which cannot be executed. */
export type Price = z.output<typeof priceSchema>;
export const priceSchema = wireObject({ fees: quoteFeesSchema, details: quoteDetailsSchema });
