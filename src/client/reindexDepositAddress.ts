import {
  type ReindexRequest,
  type ReindexResponse,
  reindexRequestSchema,
  reindexResponseSchema,
} from "../schema/request/depositAddresses.ts";
import type { CallOptions, Client } from "./internal/Client.ts";
import { readParameters, splitOptions } from "./internal/parameters.ts";

export type ReindexDepositAddressParameters = Omit<CallOptions, "retryCount"> & ReindexRequest;

export type ReindexDepositAddressReturnType = ReindexResponse;

/**
 * Requests another scan of a deposit address's balances, for missed deposits and deposits on another chain (`POST
 * /transactions/deposit-address/reindex`).
 *
 * Moves money: never retried automatically.
 *
 * @throws RequestErrorType — RateLimitedError when the last scan is too recent.
 *
 * @example
 * import { createClient, production, reindexDepositAddress } from "waybill/client";
 *
 * const { triggeredCurrencies } = await reindexDepositAddress(createClient(production), {
 *   chainId: 8453,
 *   depositAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
 *   targetChainId: 10,
 * });
 * console.log(triggeredCurrencies.map(({ balance, symbol }) => [symbol, BigInt(balance)]));
 */
export async function reindexDepositAddress(
  client: Client,
  parameters: ReindexDepositAddressParameters,
): Promise<ReindexDepositAddressReturnType> {
  const [options, fields] = splitOptions(parameters);
  return client.request({
    ...options,
    body: readParameters(reindexRequestSchema, fields),
    operation: "having a deposit address looked at again",
    path: "/transactions/deposit-address/reindex",
    schema: reindexResponseSchema,
  });
}
