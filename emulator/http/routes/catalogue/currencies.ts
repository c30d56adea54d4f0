import * as z from "zod";
import { unitsToDecimal } from "../../../../src/internal/amounts.ts";
import {
  currenciesRequestSchema,
  currenciesSchema,
  currenciesV1Schema,
  maxCurrencies,
} from "../../../../src/schema/chain/currencies.ts";
import {
  type TokenPrice,
  type TokenPriceV2,
  tokenPriceQuerySchema,
  tokenPriceSchema,
  tokenPriceV2Schema,
} from "../../../../src/schema/chain/tokenPrice.ts";
import { queryInteger } from "../../../../src/schema/wire/queryField.ts";
import { chainIdSchema } from "../../../../src/schema/wire/wireAmount.ts";
import type { LocalCurrency } from "../../../chains/Chain.ts";
import { isEvmChain, isSvmChain, type Place, placesOf } from "../../../context/places.ts";
import { findCurrency } from "../../../currencies/currencyId.ts";
import {
  searchCurrencies,
  searchCurrencyGroups,
  trendingCurrencies,
  trendingSorts,
} from "../../../currencies/searchCurrencies.ts";
import { QuoteError } from "../../../errors/refusals.ts";
import { usdOf } from "../../../money/prices.ts";
import { requireChain } from "../../../quote/request/readIntent.ts";
import { isSolverCurrency } from "../../../quote/route/planRoute.ts";
import { type Deps, defineRoute, type Route, unsupported } from "../../route/Route.ts";

const tag = "Chains and currencies";

/** Both versions of `POST /currencies`, `/currencies/trending`, and both versions of `GET /currencies/token/price`. */
export function currenciesRoutes(deps: Deps): readonly Route[] {
  return [...listingRoutes(deps), ...trendingRoutes(deps), ...priceRoutes(deps)];
}

/** Whether deposit addresses of a ledger take a currency. The exchange has none. */
function isTaken(place: Place, currency: LocalCurrency): boolean {
  return (isEvmChain(place) || isSvmChain(place)) && isSolverCurrency(place, currency);
}

function listingRoutes({ context }: Deps): readonly Route[] {
  const chains = placesOf(context);
  const common = { tag, body: currenciesRequestSchema, isBodyOptional: true } as const;
  return [
    defineRoute({
      ...common,
      endpoint: "POST /currencies/v2",
      operationId: "getCurrencies",
      summary: "Currencies by chain, term, address, id or `chainId:address`",
      answers: { 200: { body: currenciesSchema, description: "A flat list" } },
      handle: ({ body, http }) => http.json(searchCurrencies(chains.values(), body, isTaken)),
    }),
    defineRoute({
      ...common,
      endpoint: "POST /currencies/v1",
      operationId: "getCurrenciesV1",
      summary: "The same in groups, one a currency",
      answers: { 200: { body: currenciesV1Schema, description: "Groups" } },
      handle: ({ body, http }) => http.json(searchCurrencyGroups(chains.values(), body, isTaken)),
    }),
  ];
}

const sortBy = z.enum(trendingSorts).default("relay24hBuyTxCount");
const defaultTrending = 20;
const trendingQuery = z.object({
  chainId: z.optional(queryInteger(1)),
  limit: z._default(queryInteger(1, maxCurrencies), defaultTrending),
  sortBy,
});
const trendingBody = z.looseObject({
  chainId: z.optional(chainIdSchema),
  limit: z.int().min(1).max(maxCurrencies).default(defaultTrending),
  sortBy,
});

function trendingRoutes({ context }: Deps): readonly Route[] {
  const common = {
    answers: { 200: { body: currenciesSchema, description: "A flat list, the most bought first" } },
    summary: "Currencies that requests of the last 24 hours bought most",
    tag,
  } as const;
  return [
    defineRoute({
      ...common,
      endpoint: "GET /currencies/trending",
      operationId: "getTrendingCurrencies",
      query: trendingQuery,
      handle: async ({ http, query }) => http.json(await trendingCurrencies(query, context)),
    }),
    defineRoute({
      ...common,
      endpoint: "POST /currencies/trending",
      operationId: "postTrendingCurrencies",
      body: trendingBody,
      isBodyOptional: true,
      handle: async ({ body, http }) => http.json(await trendingCurrencies(body, context)),
    }),
  ];
}

function priceRoutes({ context }: Deps): readonly Route[] {
  const chains = placesOf(context);
  const priceOf = (query: { readonly address: string; readonly chainId: number }): string => {
    const currency = findCurrency(requireChain(chains, query.chainId), query.address);
    if (currency === undefined) {
      throw new QuoteError("UNSUPPORTED_CURRENCY", `Chain ${query.chainId} has no ${query.address}`);
    }
    return unitsToDecimal(usdOf(10n ** BigInt(currency.decimals), currency), 18);
  };
  const refused = unsupported("UNSUPPORTED_CHAIN", "UNSUPPORTED_CURRENCY");
  const common = { tag, query: tokenPriceQuerySchema } as const;
  return [
    defineRoute({
      ...common,
      endpoint: "GET /currencies/token/price",
      operationId: "getTokenPriceV1",
      summary: "Dollars a token, as a number",
      answers: { 200: { body: tokenPriceSchema, description: "The price" }, 400: refused },
      handle: ({ http, query }) => http.json({ price: Number(priceOf(query)) } satisfies TokenPrice),
    }),
    defineRoute({
      ...common,
      endpoint: "GET /currencies/token/price/v2",
      operationId: "getTokenPrice",
      summary: "Dollars a token, exactly, as text",
      answers: { 200: { body: tokenPriceV2Schema, description: "The price" }, 400: refused },
      handle: ({ http, query }) => http.json({ price: priceOf(query) } satisfies TokenPriceV2),
    }),
  ];
}
