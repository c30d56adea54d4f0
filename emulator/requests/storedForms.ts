import * as z from "zod";
import { evmAddressSchema, hexSchema } from "../../src/schema/wire/hex.ts";
import { uintStringSchema } from "../../src/schema/wire/wireAmount.ts";

/** An amount: decimal digits in the database, a bigint in the program. */
export const storedAmountSchema = z.pipe(
  uintStringSchema,
  z.transform((digits: string) => BigInt(digits)),
);

/** A call: target, wei, calldata. */
export const storedCallSchema = z.object({
  to: evmAddressSchema,
  value: storedAmountSchema,
  data: hexSchema,
});
