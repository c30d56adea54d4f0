import * as z from "zod/mini";
import { chainIdSchema, wholeNumber } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";
import { vmTypeSchema } from "./chain.ts";
import { currencySchema } from "./currency.ts";

const text = z.optional(z.string().check(z.maxLength(256)));
const flag = z.optional(z.boolean());

const requestFields = {
  /** Only the service's default list. */
  defaultList: flag,
  chainIds: z.optional(z.array(chainIdSchema).check(z.maxLength(256))),
  /** Part of a name, a symbol or an address. */
  term: text,
  address: text,
  currencyId: text,
  /** `chainId:address`. */
  tokens: z.optional(
    z
      .array(z.string().check(z.regex(/^[0-9]{1,16}:[\x21-\x7e]{1,256}$/, "not chainId:address")))
      .check(z.maxLength(256)),
  ),
  verified: flag,
  /** With `chainIds` and `address`: the same currency on every other chain too. */
  includeAllChains: flag,
  /** Queries other services about an unknown token. */
  useExternalSearch: flag,
  depositAddressOnly: flag,
};

/** Maximum number of currencies in a response. */
export const maxCurrencies = 1_000;

/** Body of `POST /currencies/v2` and of its first version. Without a field it requests the default list. */
export type CurrenciesRequest = z.input<typeof currenciesRequestSchema>;
export const currenciesRequestSchema = wireObject({
  ...requestFields,
  limit: z._default(wholeNumber(1, maxCurrencies), 20),
});

const currencyFields = { ...currencySchema.shape, vmType: z.optional(vmTypeSchema) };

/** One entry of the currency list. */
export type ListedCurrency = z.output<typeof listedCurrencySchema>;
export const listedCurrencySchema = wireObject(currencyFields);

/** Response of `POST /currencies/v2`: a flat list. */
export const currenciesSchema = z.array(listedCurrencySchema);

/** Response of `POST /currencies/v1`: lists of the same currency on several chains. */
export type CurrenciesV1 = z.output<typeof currenciesV1Schema>;
export const currenciesV1Schema = z.array(
  z.array(wireObject({ groupID: z.optional(z.string()), ...currencyFields })),
);
