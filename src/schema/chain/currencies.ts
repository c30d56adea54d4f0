import * as z from "zod/mini";
import { anyAddressSchema } from "../wire/hex.ts";
import { wholeNumber } from "../wire/wholeNumber.ts";
import { chainIdSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";
import { vmTypeSchema } from "./vmType.ts";

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
export const currenciesRequestSchema = wireObject({
  ...requestFields,
  limit: z._default(wholeNumber(1, maxCurrencies), 20),
});

/** Body of `POST /currencies/v2`, as a client may send it. */
export type CurrenciesRequest = z.input<typeof currenciesRequestSchema>;

const currencyFields = {
  chainId: chainIdSchema,
  address: anyAddressSchema,
  symbol: z.string(),
  name: z.string(),
  decimals: wholeNumber(0, 255),
  vmType: z.optional(vmTypeSchema),
  metadata: z.optional(
    wireObject({
      logoURI: z.nullish(z.string()),
      verified: z.optional(z.boolean()),
      isNative: z.optional(z.boolean()),
    }),
  ),
};

/** One entry of the currency list. */
export const listedCurrencySchema = wireObject(currencyFields);

/** A currency in the list of currencies. */
export type ListedCurrency = z.output<typeof listedCurrencySchema>;

/** Response of `POST /currencies/v2`: a flat list. */
export const currenciesSchema = z.array(listedCurrencySchema);

/** Response of `POST /currencies/v1`: lists of the same currency on several chains. */
export const currenciesV1Schema = z.array(
  z.array(wireObject({ groupID: z.optional(z.string()), ...currencyFields })),
);

/** Response of `POST /currencies/v1`. */
export type CurrenciesV1 = z.output<typeof currenciesV1Schema>;
