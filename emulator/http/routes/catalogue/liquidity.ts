import {
  type Liquidity,
  liquidityQuerySchema,
  liquiditySchema,
} from "../../../../src/schema/chain/liquidity.ts";
import {
  type SwapSources,
  swapSourcesQuerySchema,
  swapSourcesSchema,
} from "../../../../src/schema/chain/swapSources.ts";
import { balanceAt, placesOf, solverAt } from "../../../context/places.ts";
import { currencyIdOf, currencyText } from "../../../currencies/currencyId.ts";
import { formatUsd, usdOf } from "../../../money/prices.ts";
import { svmSwapSource, swapSourceOf, uniswapV2Source } from "../../../quote/request/options.ts";
import { requireChain } from "../../../quote/request/readIntent.ts";
import { solverCurrencies } from "../../../quote/route/planRoute.ts";
import { type Deps, defineRoute, type Route, unsupported } from "../../route/Route.ts";

/** `GET /chains/liquidity` (the solver's balances) and `GET /swap-sources` (the pools). */
export function liquidityRoutes({ context }: Deps): readonly Route[] {
  const tag = "Chains and currencies";
  return [
    defineRoute({
      endpoint: "GET /chains/liquidity",
      operationId: "getChainLiquidity",
      tag,
      summary: "The solver's balances on a chain",
      query: liquidityQuerySchema,
      answers: {
        200: { body: liquiditySchema, description: "By currency" },
        400: unsupported("UNSUPPORTED_CHAIN"),
      },
      handle: async ({ http, query: { chainId } }) => {
        const chain = requireChain(placesOf(context), chainId);
        const held = solverCurrencies(chain).map(async (currency) => {
          const balance = await balanceAt(chain, currency.address, solverAt(chain, context.accounts));
          return {
            address: currencyText(chain, currency),
            amountUsd: formatUsd(usdOf(balance, currency)),
            balance: balance.toString(),
            chainId,
            currencyId: currencyIdOf(currency),
            decimals: currency.decimals,
            symbol: currency.symbol,
          };
        });
        return http.json({ liquidity: await Promise.all(held) } satisfies Liquidity);
      },
    }),
    defineRoute({
      endpoint: "GET /swap-sources",
      operationId: "getSwapSources",
      tag,
      summary: "Names for `includedSwapSources` and similar parameters",
      query: swapSourcesQuerySchema,
      answers: {
        200: { body: swapSourcesSchema, description: "The sources" },
        400: unsupported("UNSUPPORTED_CHAIN"),
      },
      handle: ({ http, query: { chainId } }) => {
        const sources =
          chainId === undefined
            ? [uniswapV2Source, ...(context.svm === undefined ? [] : [svmSwapSource])]
            : [swapSourceOf(requireChain(placesOf(context), chainId))];
        return http.json({ sources } satisfies SwapSources);
      },
    }),
  ];
}
