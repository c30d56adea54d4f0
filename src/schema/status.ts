import * as z from "zod";
import { failReasonSchema } from "./failReason.ts";
import { refundFailReasonSchema } from "./refundFailReason.ts";
import { requestStatusSchema } from "./requestStatus.ts";
import { chainIdSchema } from "./wireAmount.ts";
import { wireObject } from "./wireObject.ts";

/**
 * The deposit address of a request.
 *
 * @example
 * depositAddressSchema.parse({
 *   address: "bc1q9h6",
 *   depositAddressType: "open",
 *   depositTxHash: null,
 *   depositor: null,
 * });
 */
export const depositAddressSchema = wireObject({
  address: z.string(),
  /** `open` or `strict`. */
  depositAddressType: z.string().optional(),
  depositor: z.string().nullish(),
  depositTxHash: z.string().nullish(),
});

/** The deposit address of a request. */
export type DepositAddress = z.output<typeof depositAddressSchema>;

/** Fields that all forms of the status answer share. */
export const statusFields = {
  /** Extra context such as decoded revert data. */
  details: z.string().nullish(),
  /** Origin transactions. Their format is the chain's. */
  inTxHashes: z.array(z.string()).optional(),
  /** Destination transactions, or the refund's. */
  txHashes: z.array(z.string()).optional(),
  originChainId: chainIdSchema.nullish(),
  destinationChainId: chainIdSchema.nullish(),
};

/**
 * Answer of `GET /intents/status/v3`.
 *
 * @example
 * statusSchema.parse({
 *   destinationChainId: 10,
 *   inTxHashes: [],
 *   originChainId: 8453,
 *   status: "waiting",
 *   txHashes: [],
 *   updatedAt: 1_700_000_000_000,
 * });
 */
export const statusSchema = wireObject({
  ...statusFields,
  status: requestStatusSchema,
  /** Unix milliseconds. */
  updatedAt: z.number().nullish(),
  /** Unix milliseconds. */
  quoteCreatedAt: z.number().nullish(),
  /** `N/A` while there is none. */
  failReason: failReasonSchema.nullish(),
  /** `N/A` while there is none. */
  refundFailReason: refundFailReasonSchema.nullish(),
  depositAddress: z.union([depositAddressSchema, z.string()]).nullish(),
});

/** Answer of `GET /intents/status/v3`, as the wire carries it. */
export type Status = z.output<typeof statusSchema>;
