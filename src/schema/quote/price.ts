import type * as z from "zod/mini";
import { wireObject } from "../wire/wireObject.ts";
import { quoteDetailsSchema, quoteFeesSchema } from "./quote.ts";
import { quoteRequestSchema } from "./quoteRequest.ts";

const {
  user,
  recipient,
  originChainId,
  destinationChainId,
  originCurrency,
  destinationCurrency,
  amount,
  tradeType,
  txs,
  referrer,
  refundTo,
  refundOnOrigin,
  useExternalLiquidity,
  useFallbacks,
  usePermit,
  useDepositAddress,
  slippageTolerance,
  appFees,
} = quoteRequestSchema.shape;

/**
 * Body of `POST /price`: the part of a quote's that has an influence on the price. Like a quote's, it lets unknown
 * fields pass.
 */
export const priceRequestSchema = wireObject({
  user,
  recipient,
  originChainId,
  destinationChainId,
  originCurrency,
  destinationCurrency,
  amount,
  tradeType,
  txs,
  referrer,
  refundTo,
  refundOnOrigin,
  useExternalLiquidity,
  useFallbacks,
  usePermit,
  useDepositAddress,
  slippageTolerance,
  appFees,
});

/** Body of `POST /price`, in wire format. */
export type PriceRequest = z.output<typeof priceRequestSchema>;

/** Response of `POST /price`: a quote without steps, which cannot be executed. */
export const priceSchema = wireObject({ fees: quoteFeesSchema, details: quoteDetailsSchema });

/** Response of `POST /price`, in wire format. */
export type Price = z.output<typeof priceSchema>;
