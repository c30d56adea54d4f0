import * as z from "zod/mini";
import { anyAddressSchema } from "../wire/hex.ts";
import { queryText } from "../wire/queryField.ts";
import { chainIdSchema, uintStringSchema, wholeNumber } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";
import { depositAddressTypeSchema } from "./depositAddressType.ts";

/** Body of `POST /transactions/deposit-address/reindex`: look at the balances of a deposit address again. */
export type ReindexRequest = z.output<typeof reindexRequestSchema>;
export const reindexRequestSchema = wireObject({
  /** Chain of the deposit address. */
  chainId: chainIdSchema,
  depositAddress: anyAddressSchema,
  /** Chain of the funds, if different. */
  targetChainId: z.optional(chainIdSchema),
  /** Default: every currency of the chain. */
  currency: z.optional(anyAddressSchema),
});

/** Response of `POST /transactions/deposit-address/reindex`. */
export type ReindexResponse = z.output<typeof reindexResponseSchema>;
export const reindexResponseSchema = wireObject({
  message: z.optional(z.string()),
  triggeredCurrencies: z.array(
    wireObject({
      currency: z.string(),
      symbol: z.optional(z.string()),
      /** Smallest units. */
      balance: uintStringSchema,
    }),
  ),
  checkedCurrencies: wholeNumber(),
  failedCurrencies: wholeNumber(),
});

/** Query of `GET /deposit-addresses/v1`: exactly one of the two. */
export type DepositAddressQuery = z.output<typeof depositAddressQuerySchema>;
export const depositAddressQuerySchema = wireObject({
  address: z.optional(queryText(256)),
  requestId: z.optional(queryText(256)),
});

/** Response of `GET /deposit-addresses/v1`. */
export type DepositAddressRecord = z.output<typeof depositAddressRecordSchema>;
export const depositAddressRecordSchema = wireObject({
  depositAddress: z.string(),
  type: depositAddressTypeSchema,
  /** Request of the deposit address. */
  requestId: z.string(),
  chainId: chainIdSchema,
  /** ISO 8601. */
  createdAt: z.string(),
  currency: z.nullish(z.string()),
  refundTo: z.nullish(z.string()),
});
