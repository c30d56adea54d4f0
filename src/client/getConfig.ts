import { type Config, type ConfigQuery, configQuerySchema, configSchema } from "../schema/chain/config.ts";
import type { CallOptions, Client } from "./internal/Client.ts";
import { splitOptions, toQuery } from "./internal/parameters.ts";

export type GetConfigParameters = CallOptions & ConfigQuery;

export type GetConfigReturnType = Config;

/**
 * Reads whether a route is enabled, and its capacity (`GET /config/v2`).
 *
 * @throws RequestErrorType
 *
 * @example
 * import { createClient, getConfig, production } from "waybill/client";
 *
 * const { enabled, solver } = await getConfig(createClient(production), {
 *   currency: "usdc",
 *   destinationChainId: 10,
 *   originChainId: 8453,
 * });
 * console.log(enabled, BigInt(solver?.capacityPerRequest ?? 0));
 */
export async function getConfig(
  client: Client,
  parameters: GetConfigParameters,
): Promise<GetConfigReturnType> {
  const [options, fields] = splitOptions(parameters);
  return client.request({
    ...options,
    operation: "reading the configuration of a route",
    path: "/config/v2",
    query: toQuery(configQuerySchema, fields),
    schema: configSchema,
  });
}
