import { Hono } from "hono";
import { type Liquidity, liquidityQuerySchema } from "../../../src/schema/liquidity.ts";
import { type SwapSources, swapSourcesQuerySchema } from "../../../src/schema/swapSources.ts";
import { balanceOf } from "../../chains/balanceOf.ts";
import { currencyIdOf } from "../../currencies/currencyId.ts";
import { formatUsd, usdOf } from "../../quote/prices.ts";
import { chainOf } from "../../quote/readIntent.ts";
import { solverCurrencies } from "../../quote/solverCurrencies.ts";
import { uniswapV2Source } from "../../quote/swapSources.ts";
import type { Deps } from "../Deps.ts";
import { readQuery } from "../readJson.ts";

/** Where the money is: `GET /chains/liquidity`, the solver's own, and `GET /swap-sources`, the pools'. */
export function liquidityRoute({ context }: Deps): Hono {
  const solver = context.accounts.solver.account.address;
  return new Hono()
    .get("/chains/liquidity", async (http) => {
      const { chainId } = readQuery(http, liquidityQuerySchema);
      const chain = chainOf(context.chains, chainId);
      const held = solverCurrencies(chain).map(async (currency) => {
        const balance = await balanceOf(chain, currency.address, solver);
        return {
          address: currency.address.toLowerCase(),
          amountUsd: formatUsd(usdOf(balance, currency)),
          balance: balance.toString(),
          chainId,
          currencyId: currencyIdOf(currency),
          decimals: currency.decimals,
          symbol: currency.symbol,
        };
      });
      return http.json({ liquidity: await Promise.all(held) } satisfies Liquidity);
    })
    .get("/swap-sources", (http) => {
      const { chainId } = readQuery(http, swapSourcesQuerySchema);
      if (chainId !== undefined) chainOf(context.chains, chainId);
      return http.json({ sources: [uniswapV2Source] } satisfies SwapSources);
    });
}
