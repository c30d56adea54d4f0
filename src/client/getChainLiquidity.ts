import { type Liquidity, liquidityQuerySchema, liquiditySchema } from "../schema/chain/liquidity.ts";
import type { CallOptions, Client } from "./internal/Client.ts";
import { toQuery } from "./internal/parameters.ts";

export type GetChainLiquidityParameters = CallOptions & { chainId: number };

export type GetChainLiquidityReturnType = Liquidity;

/**
 * Reads the solver's balances on a chain (`GET /chains/liquidity`).
 *
 * @throws RequestErrorType
 *
 * @example
 * import { createClient, getChainLiquidity, production } from "waybill/client";
 *
 * const { liquidity } = await getChainLiquidity(createClient(production), { chainId: 8453 });
 * console.log(liquidity.map(({ balance, symbol }) => [symbol, BigInt(balance)]));
 */
export async function getChainLiquidity(
  client: Client,
  parameters: GetChainLiquidityParameters,
): Promise<GetChainLiquidityReturnType> {
  const { chainId, ...options } = parameters;
  return client.request({
    ...options,
    operation: "reading the liquidity of a chain",
    path: "/chains/liquidity",
    query: toQuery(liquidityQuerySchema, { chainId }),
    schema: liquiditySchema,
  });
}
