import * as z from "zod/mini";
import { chainIdSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";
import { depositAddressTypeSchema } from "./depositAddressType.ts";
import { requestStatusSchema } from "./requestStatus.ts";

/** The deposit address of a request. */
export type DepositAddress = z.output<typeof depositAddressSchema>;
export const depositAddressSchema = wireObject({
  address: z.string(),
  depositAddressType: z.optional(depositAddressTypeSchema),
  depositor: z.nullish(z.string()),
  depositTxHash: z.nullish(z.string()),
});

/** Fields of all status responses. */
export const statusFields = {
  /** Extra context such as decoded revert data, as text or as an object. Null when there is none. */
  details: z.nullish(z.unknown()),
  /** Origin transactions. Their format is the chain's. */
  inTxHashes: z.optional(z.array(z.string())),
  /** Destination transactions, or the refund's. */
  txHashes: z.optional(z.array(z.string())),
  originChainId: z.nullish(chainIdSchema),
  destinationChainId: z.nullish(chainIdSchema),
};

/**
 * Response of `GET /intents/status/v3`, as a wait reads it. Accepts any reason: a wait only passes it on, and the list of
 * documented reasons would add 800 bytes to every bundle of `execute`.
 */
export const polledStatusSchema = wireObject({
  ...statusFields,
  status: requestStatusSchema,
  /** Unix milliseconds. */
  updatedAt: z.nullish(z.number()),
  /** Unix milliseconds. */
  quoteCreatedAt: z.nullish(z.number()),
  /** `N/A` while there is none. */
  failReason: z.nullish(z.string()),
  /** `N/A` while there is none. */
  refundFailReason: z.nullish(z.string()),
  depositAddress: z.nullish(z.union([depositAddressSchema, z.string()])),
});
