import * as z from "zod/mini";
import { hexSchema } from "../wire/hex.ts";
import { quantitySchema, uintStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

/** Unix seconds; the order's type holds 32 bits. */
const deadline = z.int().check(z.nonnegative(), z.maximum(4_294_967_295));

/**
 * The protocol order of a quote. Chain ids are protocol names (`base`), addresses are in their chain's format, amounts
 * are decimal strings in smallest units, deadlines are unix seconds.
 *
 * @example
 * import { createClient, getQuote, production } from "waybill/client";
 *
 * const native = "0x0000000000000000000000000000000000000000";
 * const quote = await getQuote(createClient(production), {
 *   amount: 10n ** 16n,
 *   destinationChainId: 10,
 *   destinationCurrency: native,
 *   originChainId: 8453,
 *   originCurrency: native,
 *   tradeType: "EXACT_INPUT",
 *   user: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
 * });
 * console.log(quote.protocol?.v2?.orderData?.output.deadline);
 */
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

/** The protocol order of a quote, in wire format. */
export type OrderData = z.output<typeof orderDataSchema>;
