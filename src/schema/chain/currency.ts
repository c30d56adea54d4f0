import * as z from "zod/mini";
import { anyAddressSchema } from "../wire/hex.ts";
import { chainIdSchema, wholeNumber } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

/** A currency on a chain. The native one of an EVM chain has the all-zero address. */
export type Currency = z.output<typeof currencySchema>;
export const currencySchema = wireObject({
  chainId: chainIdSchema,
  address: anyAddressSchema,
  symbol: z.string(),
  name: z.string(),
  decimals: wholeNumber(0, 255),
  metadata: z.optional(
    wireObject({
      logoURI: z.nullish(z.string()),
      verified: z.optional(z.boolean()),
      isNative: z.optional(z.boolean()),
    }),
  ),
});
