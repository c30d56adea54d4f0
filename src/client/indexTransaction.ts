import {
  type IndexTransactionRequest,
  indexTransactionRequestSchema,
  type Message,
  messageSchema,
} from "../schema/transactions.ts";
import type { AnyText } from "./AnyText.ts";
import type { CallOptions } from "./CallOptions.ts";
import type { Client } from "./Client.ts";
import { readParameters } from "./readParameters.ts";
import type { RequestErrorType } from "./request.ts";

/** Parameters of {@link indexTransaction}. */
export type IndexTransactionParameters = CallOptions & AnyText<IndexTransactionRequest>;

/** What {@link indexTransaction} returns. */
export type IndexTransactionReturnType = Message;

/** What {@link indexTransaction} throws. */
export type IndexTransactionErrorType = RequestErrorType;

/**
 * Asks the service to look at a deposit now instead of when it comes to its block (`POST /transactions/index`). It
 * changes nothing else, so it is repeated like a read.
 *
 * @throws IndexTransactionErrorType
 *
 * @example
 * import { createClient, indexTransaction, production } from "waybill/client";
 *
 * await indexTransaction(createClient(production), {
 *   chainId: 8453,
 *   txHash: "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a",
 * });
 */
export async function indexTransaction(
  client: Client,
  parameters: IndexTransactionParameters,
): Promise<IndexTransactionReturnType> {
  const { retryCount, signal, timeout, ...fields } = parameters;
  const { chainId, ...body } = readParameters(indexTransactionRequestSchema, fields);
  return client.request({
    // Text is what the service's own client sends.
    body: { ...body, chainId: String(chainId) },
    method: "POST",
    operation: "pointing at a transaction",
    path: "/transactions/index",
    retryCount,
    safe: true,
    schema: messageSchema,
    signal,
    timeout,
  });
}
