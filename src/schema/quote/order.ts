import * as z from "zod/mini";
import { hexSchema } from "../wire/hex.ts";
import { quantitySchema, uintStringSchema, wholeNumber } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

/** Unix seconds; the order's type holds 32 bits. */
const deadline = wholeNumber(0, 4_294_967_295);

/**
 * The protocol order of a quote. Chain ids are protocol names (`base`), addresses are in their chain's format, amounts
 * are decimal strings in smallest units, deadlines are unix seconds.
 */
export type OrderData = z.output<typeof orderDataSchema>;
export const orderDataSchema = wireObject({
  version: z.string(),
  solverChainId: z.string(),
  solver: z.string(),
  salt: quantitySchema,
  inputs: z.array(
    wireObject({
      payment: wireObject({
        chainId: z.string(),
        currency: z.string(),
        amount: uintStringSchema,
        weight: uintStringSchema,
      }),
      refunds: z.array(
        wireObject({
          chainId: z.string(),
          recipient: z.string(),
          currency: z.string(),
          minimumAmount: uintStringSchema,
          deadline,
          extraData: hexSchema,
        }),
      ),
    }),
  ),
  output: wireObject({
    chainId: z.string(),
    payments: z.array(
      wireObject({
        recipient: z.string(),
        currency: z.string(),
        minimumAmount: uintStringSchema,
        expectedAmount: uintStringSchema,
      }),
    ),
    calls: z.array(hexSchema),
    deadline,
    extraData: hexSchema,
  }),
  fees: z.array(
    wireObject({
      recipientChainId: z.string(),
      recipient: z.string(),
      currencyChainId: z.string(),
      currency: z.string(),
      amount: uintStringSchema,
    }),
  ),
});
