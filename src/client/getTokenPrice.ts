import { type TokenPriceV2, tokenPriceQuerySchema, tokenPriceV2Schema } from "../schema/chain/tokenPrice.ts";
import type { CallOptions, Client } from "./internal/Client.ts";
import { toQuery } from "./internal/parameters.ts";

export type GetTokenPriceParameters = CallOptions & { address: string; chainId: number };

/** Dollars per token, as a decimal string. */
export type GetTokenPriceReturnType = TokenPriceV2;

/**
 * Reads a token's price in dollars (`GET /currencies/token/price/v2`).
 *
 * @throws RequestErrorType
 *
 * @example
 * import { createClient, getTokenPrice, production } from "waybill/client";
 *
 * const address = "0x0000000000000000000000000000000000000000";
 * console.log((await getTokenPrice(createClient(production), { address, chainId: 8453 })).price); // for example "2000.12"
 */
export async function getTokenPrice(
  client: Client,
  parameters: GetTokenPriceParameters,
): Promise<GetTokenPriceReturnType> {
  const { address, chainId, ...options } = parameters;
  return client.request({
    ...options,
    operation: "reading the price of a token",
    path: "/currencies/token/price/v2",
    query: toQuery(tokenPriceQuerySchema, { address, chainId }),
    schema: tokenPriceV2Schema,
  });
}
