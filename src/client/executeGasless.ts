import {
  type ExecuteRequest,
  type ExecuteResponse,
  executeRequestSchema,
  executeResponseSchema,
} from "../schema/quote/executeCalls.ts";
import type { CallOptions, Client } from "./internal/Client.ts";
import { readParameters, toWireAmount } from "./internal/parameters.ts";

export type ExecuteGaslessParameters = Omit<CallOptions, "retryCount"> &
  Omit<ExecuteRequest, "data" | "executionKind"> & {
    data: Omit<ExecuteRequest["data"], "value"> & {
      /** Wei. Default: 0. */
      value?: bigint | string | undefined;
    };
  };

export type ExecuteGaslessReturnType = ExecuteResponse;

/**
 * Submits a call whose gas the service pays (`POST /execute`). Needs an API key.
 *
 * The caller builds and signs `data`. Take the calls of a batch from the quote that `verifyQuote` returned.
 *
 * A submission: never retried. After a lost response, read the request's status first. A reverting call throws an
 * HttpError whose `errorCode` is the label and whose `errorData` locates the revert.
 *
 * @throws RequestErrorType
 *
 * @example
 * import { createClient, executeGasless, production, waitForRequest } from "waybill/client";
 *
 * const client = createClient({ ...production, apiKey: "your-key" });
 * const { requestId } = await executeGasless(client, {
 *   data: { chainId: 8453, data: "0x", to: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266" },
 *   executionOptions: { referrer: "my-app", subsidizeFees: true },
 * });
 * await waitForRequest(client, { requestId });
 */
export async function executeGasless(
  client: Client,
  parameters: ExecuteGaslessParameters,
): Promise<ExecuteGaslessReturnType> {
  const { data, signal, timeout, ...fields } = parameters;
  const value = toWireAmount(data?.value ?? 0n, "data.value");
  return client.request({
    body: readParameters(executeRequestSchema, {
      ...fields,
      data: { ...data, value },
      executionKind: "rawCalls",
    }),
    operation: "handing in a gasless call",
    path: "/execute",
    schema: executeResponseSchema,
    signal,
    timeout,
  });
}
