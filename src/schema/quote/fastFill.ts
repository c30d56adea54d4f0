import * as z from "zod/mini";
import { bytes32Schema } from "../wire/hex.ts";
import { uintStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

/** Body of `POST /fast-fill`: fill before the deposit is final, on the app's account. With an API key. */
export type FastFillRequest = z.output<typeof fastFillRequestSchema>;
export const fastFillRequestSchema = wireObject({
  requestId: bytes32Schema,
  /** Smallest units that the solver receives on the origin chain. */
  solverInputCurrencyAmount: z.optional(uintStringSchema),
  /** Dollars; a fill of higher value is rejected. */
  maxFillAmountUsd: z.optional(z.number().check(z.nonnegative())),
});
