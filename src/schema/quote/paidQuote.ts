import * as z from "zod/mini";
import { bytes32Schema, signatureSchema } from "../wire/hex.ts";
import { openEnum } from "../wire/openEnum.ts";
import { uintStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";
import { amountSchema } from "./amount.ts";
import { orderDataSchema } from "./order.ts";
import { stepSchema } from "./step.ts";

/** Protocol data of a quote: the order, and the recipient of its payment. */
export type QuoteProtocol = z.output<typeof quoteProtocolSchema>;
export const quoteProtocolSchema = wireObject({
  v2: z.optional(
    wireObject({
      /** Id in the deposit; not the request id. */
      orderId: bytes32Schema,
      hubType: z.optional(openEnum(["onchain"])),
      orderData: z.optional(orderDataSchema),
      /** The solver's signature over the order id; only with `includeProtocolData`. */
      orderSignature: z.optional(signatureSchema),
      paymentDetails: z.optional(
        wireObject({
          /** The chain's protocol name. */
          chainId: z.string(),
          depository: z.string(),
          currency: z.string(),
          amount: uintStringSchema,
        }),
      ),
    }),
  ),
});

/** What a quote says of the payment and the output, in the service's order. */
export const paidDetailFields = {
  sender: z.string(),
  recipient: z.string(),
  /** The user's payment, on the origin chain. */
  currencyIn: amountSchema,
  /** The recipient's output, on the destination chain. */
  currencyOut: amountSchema,
  currencyGasTopup: z.optional(amountSchema),
};

/**
 * The part of a quote that is compared, signed or sent. A proof and `execute` read no other field, so that bundles without a
 * client contain no other.
 */
export const paidQuoteSchema = wireObject({
  steps: z.array(stepSchema),
  details: wireObject(paidDetailFields),
  protocol: z.optional(quoteProtocolSchema),
});
