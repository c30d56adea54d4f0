import * as z from "zod/mini";
import { recordAmountSchema } from "../record/recordAmount.ts";
import { anyAddressSchema } from "../wire/hex.ts";
import { chainIdSchema, uintStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";
import { stepSchema } from "./step.ts";

/** Response of `GET /app-fees/{wallet}/balances`. */
export type AppFeeBalances = z.output<typeof appFeeBalancesSchema>;
export const appFeeBalancesSchema = wireObject({
  balances: z.array(recordAmountSchema),
  /** Dollars in all currencies together. */
  totalBalanceUsd: z.nullish(z.number()),
  /** Dollars of unsettled fast fills. */
  outstandingFastFillBalanceUsd: z.nullish(z.number()),
  /** Dollars available for fast fills and claims. */
  availableBalanceUsd: z.nullish(z.number()),
});

/** Body of `POST /app-fees/{wallet}/claim`, in wire format. */
export type ClaimRequest = z.output<typeof claimRequestSchema>;
export const claimRequestSchema = wireObject({
  chainId: chainIdSchema,
  currency: anyAddressSchema,
  /** Smallest units. Default: the whole balance. */
  amount: z.optional(uintStringSchema),
  recipient: anyAddressSchema,
});

/** Response of `POST /app-fees/{wallet}/claim`: a signature step. */
export type ClaimResponse = z.output<typeof claimResponseSchema>;
export const claimResponseSchema = wireObject({ steps: z.array(stepSchema) });
