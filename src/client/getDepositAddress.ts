import { assertValid } from "../internal/readParts.ts";
import {
  type DepositAddressQuery,
  type DepositAddressRecord,
  depositAddressQuerySchema,
  depositAddressRecordSchema,
} from "../schema/request/depositAddresses.ts";
import type { CallOptions, Client } from "./internal/Client.ts";
import { toQuery } from "./internal/parameters.ts";

/** The address, or the request that it was made for. */
export type GetDepositAddressParameters = CallOptions & DepositAddressQuery;

export type GetDepositAddressReturnType = DepositAddressRecord;

/**
 * Reads the record of a deposit address (`GET /deposit-addresses/v1`).
 *
 * @throws RequestErrorType — InvalidParameterError unless exactly one of the two parameters is given.
 *
 * @example
 * import { createClient, getDepositAddress, production } from "waybill/client";
 *
 * const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
 * const { requestId, type } = await getDepositAddress(createClient({ ...production, apiKey: "your-key" }), { address });
 * console.log(requestId, type);
 */
export async function getDepositAddress(
  client: Client,
  parameters: GetDepositAddressParameters,
): Promise<GetDepositAddressReturnType> {
  const { address, requestId, ...options } = parameters;
  const isOne = (address === undefined) !== (requestId === undefined);
  assertValid(isOne, "address", "pass either this or `requestId`");
  return client.request({
    ...options,
    operation: "reading a deposit address",
    path: "/deposit-addresses/v1",
    query: toQuery(depositAddressQuerySchema, { address, requestId }),
    schema: depositAddressRecordSchema,
  });
}
