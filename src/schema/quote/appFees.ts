import * as z from "zod/mini";
import { recordAmountSchema } from "../record/recordAmount.ts";
import { anyAddressSchema } from "../wire/hex.ts";
import { chainIdSchema, uintStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";
import { stepSchema } from "./step.ts";

/**
 * Response of `GET /app-fees/{wallet}/balances`.
 *
 * @example
 * appFeeBalancesSchema.parse({ balances: [] });
 */
export const appFeeBalancesSchema = wireObject({
  balances: z.array(recordAmountSchema),
  /** Dollars in all currencies together. */
  totalBalanceUsd: z.nullish(z.number()),
  /** Dollars of unsettled fast fills. */
  outstandingFastFillBalanceUsd: z.nullish(z.number()),
  /** Dollars available for fast fills and claims. */
  availableBalanceUsd: z.nullish(z.number()),
});

/** Response of `GET /app-fees/{wallet}/balances`. */
export type AppFeeBalances = z.output<typeof appFeeBalancesSchema>;

/**
 * Body of `POST /app-fees/{wallet}/claim`.
 *
 * @example
 * claimRequestSchema.parse({
 *   chainId: 8453,
 *   currency: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
 *   recipient: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
 * });
 */
export const claimRequestSchema = wireObject({
  chainId: chainIdSchema,
  currency: anyAddressSchema,
  /** Smallest units. Default: the whole balance. */
  amount: z.optional(uintStringSchema),
  recipient: anyAddressSchema,
});

/** Body of `POST /app-fees/{wallet}/claim`, in wire format. */
export type ClaimRequest = z.output<typeof claimRequestSchema>;

/**
 * Response of `POST /app-fees/{wallet}/claim`: a signature step.
 *
 * @example
 * claimResponseSchema.parse({ steps: [] });
 */
export const claimResponseSchema = wireObject({ steps: z.array(stepSchema) });

/** Response of `POST /app-fees/{wallet}/claim`. */
export type ClaimResponse = z.output<typeof claimResponseSchema>;
