import {
  type Message,
  messageSchema,
  type SingleTransactionRequest,
  singleTransactionRequestSchema,
} from "../schema/request/transactions.ts";
import type { AnyText, CallOptions, Client } from "./internal/Client.ts";
import { readParameters, toJson } from "./internal/parameters.ts";

export type IndexSingleTransactionParameters = CallOptions &
  AnyText<Omit<SingleTransactionRequest, "tx">> & {
    /** The step's transaction, with its hash as `txHash`. */
    tx: Readonly<Record<string, unknown>>;
  };

export type IndexSingleTransactionReturnType = Message;

/**
 * Requests immediate indexing of a same-chain transaction (`POST /transactions/single`). Idempotent, so retried like a
 * read.
 *
 * @throws RequestErrorType
 *
 * @example
 * import { createClient, indexSingleTransaction, production } from "waybill/client";
 *
 * const requestId = "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a";
 * const txHash = "0x3f1c9ab56e1bb0d2a7c84f0e5d6b29a18c7e4f3021d5b6c9e8a7f60514233241";
 * const tx = { chainId: 8453, to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", txHash, value: "1" };
 * await indexSingleTransaction(createClient(production), { chainId: 8453, requestId, tx });
 */
export async function indexSingleTransaction(
  client: Client,
  parameters: IndexSingleTransactionParameters,
): Promise<IndexSingleTransactionReturnType> {
  const { retryCount, signal, timeout, tx, ...fields } = parameters;
  const { chainId, ...body } = readParameters(singleTransactionRequestSchema, {
    ...fields,
    tx: toJson(tx, "tx"),
  });
  return client.request({
    body: { ...body, chainId: String(chainId) },
    operation: "pointing at a transaction",
    path: "/transactions/single",
    retryCount,
    safe: true,
    schema: messageSchema,
    signal,
    timeout,
  });
}
