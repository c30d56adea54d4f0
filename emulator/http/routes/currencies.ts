import { Hono } from "hono";
import { unitsToDecimal } from "../../../src/internal/amounts.ts";
import { currenciesRequestSchema } from "../../../src/schema/currencies.ts";
import { type TokenPrice, type TokenPriceV2, tokenPriceQuerySchema } from "../../../src/schema/tokenPrice.ts";
import { searchCurrencies, searchCurrencyGroups } from "../../currencies/searchCurrencies.ts";
import { usdOf } from "../../quote/prices.ts";
import { QuoteError } from "../../quote/QuoteError.ts";
import { chainOf } from "../../quote/readIntent.ts";
import type { Deps } from "../Deps.ts";
import { readJson, readQuery } from "../readJson.ts";

/** Both versions of `POST /currencies` and of `GET /currencies/token/price`. */
export function currenciesRoute({ context }: Deps): Hono {
  const { chains } = context;
  const priceOf = (query: { readonly address: string; readonly chainId: number }): string => {
    const address = query.address.toLowerCase();
    const { currencies } = chainOf(chains, query.chainId);
    const currency = currencies.find((one) => one.address.toLowerCase() === address);
    if (currency === undefined) {
      throw new QuoteError("UNSUPPORTED_CURRENCY", `Chain ${query.chainId} has no ${query.address}`);
    }
    return unitsToDecimal(usdOf(10n ** BigInt(currency.decimals), currency), 18);
  };
  return new Hono()
    .post("/currencies/v1", async (http) =>
      http.json(searchCurrencyGroups(chains.values(), await readJson(http, currenciesRequestSchema))),
    )
    .post("/currencies/v2", async (http) =>
      http.json(searchCurrencies(chains.values(), await readJson(http, currenciesRequestSchema))),
    )
    .get("/currencies/token/price", (http) => {
      const price = Number(priceOf(readQuery(http, tokenPriceQuerySchema)));
      return http.json({ price } satisfies TokenPrice);
    })
    .get("/currencies/token/price/v2", (http) => {
      const price = priceOf(readQuery(http, tokenPriceQuerySchema));
      return http.json({ price } satisfies TokenPriceV2);
    });
}
