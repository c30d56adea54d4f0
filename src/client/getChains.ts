import { type ChainsResponse, chainsResponseSchema } from "../schema/chain/chain.ts";
import type { CallOptions, Client } from "./internal/Client.ts";

export type GetChainsParameters = CallOptions;

export type GetChainsReturnType = ChainsResponse;

/**
 * Reads the chains of the service, with their currencies and contracts (`GET /chains`).
 *
 * @throws RequestErrorType
 *
 * @example
 * import { createClient, getChains, production } from "waybill/client";
 *
 * const { chains } = await getChains(createClient(production));
 * console.log(chains.filter((chain) => chain.disabled !== true).map((chain) => chain.id));
 */
export async function getChains(
  client: Client,
  parameters: GetChainsParameters = {},
): Promise<GetChainsReturnType> {
  return client.request({
    ...parameters,
    operation: "reading the chains",
    path: "/chains",
    schema: chainsResponseSchema,
  });
}
