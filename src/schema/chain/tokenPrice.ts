import * as z from "zod/mini";
import { queryInteger, queryText } from "../wire/queryField.ts";
import { wireObject } from "../wire/wireObject.ts";

/** Query of `GET /currencies/token/price` and of its second version. */
export const tokenPriceQuerySchema = wireObject({ address: queryText(256), chainId: queryInteger(1) });

/** Response of `GET /currencies/token/price`: US dollars per token. */
export type TokenPrice = z.output<typeof tokenPriceSchema>;
export const tokenPriceSchema = wireObject({ price: z.number().check(z.nonnegative()) });

/** Response of `GET /currencies/token/price/v2`: exact dollars per token, as text. */
export type TokenPriceV2 = z.output<typeof tokenPriceV2Schema>;
export const tokenPriceV2Schema = wireObject({
  price: z.string().check(z.regex(/^[0-9]+(?:\.[0-9]+)?$/, "not a decimal number")),
});
