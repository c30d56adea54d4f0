import { type SwapSources, swapSourcesQuerySchema, swapSourcesSchema } from "../schema/swapSources.ts";
import type { CallOptions } from "./CallOptions.ts";
import type { Client } from "./Client.ts";
import type { RequestErrorType } from "./request.ts";
import { toQuery } from "./toQuery.ts";

/** Parameters of {@link getSwapSources}. */
export type GetSwapSourcesParameters = CallOptions & {
  /** All chains when left out. */
  chainId?: number | undefined;
};

/** What {@link getSwapSources} returns. */
export type GetSwapSourcesReturnType = SwapSources;

/** What {@link getSwapSources} throws. */
export type GetSwapSourcesErrorType = RequestErrorType;

/**
 * Reads the names of the swap sources, for a quote's `includedSwapSources` and its like (`GET /swap-sources`).
 *
 * @throws GetSwapSourcesErrorType
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
    method: "GET",
    operation: "reading the swap sources",
    path: "/swap-sources",
    query: toQuery(swapSourcesQuerySchema, { chainId }),
    safe: true,
    schema: swapSourcesSchema,
  });
}
