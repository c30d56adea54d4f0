import * as z from "zod/mini";
import { queryInteger } from "../wire/queryField.ts";
import { wholeNumber } from "../wire/wholeNumber.ts";
import { chainIdSchema, uintStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

/** Query of `GET /chains/liquidity`. */
export const liquidityQuerySchema = wireObject({ chainId: queryInteger(1) });

/** Response of `GET /chains/liquidity`: the solver's balances on a chain. */
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

/** Response of `GET /chains/liquidity`. */
export type Liquidity = z.output<typeof liquiditySchema>;
