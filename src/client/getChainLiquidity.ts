import { type Liquidity, liquidityQuerySchema, liquiditySchema } from "../schema/chain/liquidity.ts";
import type { CallOptions } from "./internal/CallOptions.ts";
import type { Client } from "./internal/Client.ts";
import type { RequestErrorType } from "./internal/request.ts";
import { toQuery } from "./internal/toQuery.ts";

/** Parameters of {@link getChainLiquidity}. */
export type GetChainLiquidityParameters = CallOptions & { chainId: number };

/** Return value of {@link getChainLiquidity}. */
export type GetChainLiquidityReturnType = Liquidity;

/** Errors of {@link getChainLiquidity}. */
export type GetChainLiquidityErrorType = RequestErrorType;

/**
 * Reads the solver's balances on a chain (`GET /chains/liquidity`).
 *
 * @throws GetChainLiquidityErrorType
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
    method: "GET",
    operation: "reading the liquidity of a chain",
    path: "/chains/liquidity",
    query: toQuery(liquidityQuerySchema, { chainId }),
    safe: true,
    schema: liquiditySchema,
  });
}
