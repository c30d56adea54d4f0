import { type SwapSources, swapSourcesQuerySchema, swapSourcesSchema } from "../schema/chain/swapSources.ts";
import type { CallOptions, Client } from "./internal/Client.ts";
import { toQuery } from "./internal/parameters.ts";

export type GetSwapSourcesParameters = CallOptions & {
  /** Default: all chains. */
  chainId?: number | undefined;
};

export type GetSwapSourcesReturnType = SwapSources;

/**
 * Reads the names of the swap sources, for `includedSwapSources` and similar parameters of a quote (`GET
 * /swap-sources`).
 *
 * @throws RequestErrorType
 *
 * @example
 * import { createClient, getSwapSources, production } from "waybill/client";
 *
 * console.log((await getSwapSources(createClient(production), { chainId: 8453 })).sources);
 */
export async function getSwapSources(
  client: Client,
  parameters: GetSwapSourcesParameters = {},
): Promise<GetSwapSourcesReturnType> {
  const { chainId, ...options } = parameters;
  return client.request({
    ...options,
    operation: "reading the swap sources",
    path: "/swap-sources",
    query: toQuery(swapSourcesQuerySchema, { chainId }),
    schema: swapSourcesSchema,
  });
}
