import * as z from "zod/mini";
import { queryInteger } from "../wire/queryField.ts";
import { chainIdSchema, uintStringSchema, wholeNumber } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

/** Query of `GET /chains/liquidity`. */
export const liquidityQuerySchema = wireObject({ chainId: queryInteger(1) });

/** Response of `GET /chains/liquidity`: the solver's balances on a chain. */
export type Liquidity = z.output<typeof liquiditySchema>;
export const liquiditySchema = wireObject({
  liquidity: z.array(
    wireObject({
      chainId: chainIdSchema,
      currencyId: z.optional(z.string()),
      symbol: z.string(),
      address: z.string(),
      decimals: wholeNumber(0, 255),
      /** Smallest units. */
      balance: uintStringSchema,
      amountUsd: z.nullish(z.string()),
    }),
  ),
});
