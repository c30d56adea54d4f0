import * as z from "zod/mini";
import { chainIdSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";
import { depositAddressTypeSchema } from "./depositAddressType.ts";
import { failReasonSchema } from "./failReason.ts";
import { refundFailReasonSchema } from "./refundFailReason.ts";
import { requestStatusSchema } from "./requestStatus.ts";

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
  depositAddressType: z.optional(depositAddressTypeSchema),
  depositor: z.nullish(z.string()),
  depositTxHash: z.nullish(z.string()),
});

/** The deposit address of a request. */
export type DepositAddress = z.output<typeof depositAddressSchema>;

/** Fields of all status responses. */
export const statusFields = {
  /** Extra context such as decoded revert data. */
  details: z.nullish(z.string()),
  /** Origin transactions. Their format is the chain's. */
  inTxHashes: z.optional(z.array(z.string())),
  /** Destination transactions, or the refund's. */
  txHashes: z.optional(z.array(z.string())),
  originChainId: z.nullish(chainIdSchema),
  destinationChainId: z.nullish(chainIdSchema),
};

/**
 * Response of `GET /intents/status/v3`.
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
  updatedAt: z.nullish(z.number()),
  /** Unix milliseconds. */
  quoteCreatedAt: z.nullish(z.number()),
  /** `N/A` while there is none. */
  failReason: z.nullish(failReasonSchema),
  /** `N/A` while there is none. */
  refundFailReason: z.nullish(refundFailReasonSchema),
  depositAddress: z.nullish(z.union([depositAddressSchema, z.string()])),
});

/** Response of `GET /intents/status/v3`, in wire format. */
export type Status = z.output<typeof statusSchema>;
