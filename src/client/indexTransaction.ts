import {
  type IndexTransactionRequest,
  indexTransactionRequestSchema,
  type Message,
  messageSchema,
} from "../schema/request/transactions.ts";
import type { AnyText, CallOptions, Client } from "./internal/Client.ts";
import { readParameters, splitOptions } from "./internal/parameters.ts";

export type IndexTransactionParameters = CallOptions & AnyText<IndexTransactionRequest>;

export type IndexTransactionReturnType = Message;

/**
 * Requests immediate indexing of a deposit (`POST /transactions/index`). Idempotent, so retried like a read.
 *
 * @throws RequestErrorType
 *
 * @example
 * import { createClient, indexTransaction, production } from "waybill/client";
 *
 * await indexTransaction(createClient(production), {
 *   chainId: 8453,
 *   txHash: "0x3f1c9ab56e1bb0d2a7c84f0e5d6b29a18c7e4f3021d5b6c9e8a7f60514233241",
 * });
 */
export async function indexTransaction(
  client: Client,
  parameters: IndexTransactionParameters,
): Promise<IndexTransactionReturnType> {
  const [options, fields] = splitOptions(parameters);
  const { chainId, ...body } = readParameters(indexTransactionRequestSchema, fields);
  return client.request({
    ...options,
    // The service's own client sends the chain id as text.
    body: { ...body, chainId: String(chainId) },
    operation: "pointing at a transaction",
    path: "/transactions/index",
    safe: true,
    schema: messageSchema,
  });
}
