import {
  type ExecuteRequest,
  type ExecuteResponse,
  executeRequestSchema,
  executeResponseSchema,
} from "../schema/quote/executeCalls.ts";
import type { CallOptions } from "./internal/CallOptions.ts";
import type { Client } from "./internal/Client.ts";
import { readParameters } from "./internal/readParameters.ts";
import type { RequestErrorType } from "./internal/request.ts";
import { toWireAmount } from "./internal/toQuoteRequest.ts";

/** Parameters of {@link executeGasless}. */
export type ExecuteGaslessParameters = Omit<CallOptions, "retryCount"> &
  Omit<ExecuteRequest, "data" | "executionKind"> & {
    data: Omit<ExecuteRequest["data"], "value"> & {
      /** Wei; 0 when left out. */
      value?: bigint | string | undefined;
    };
  };

/** What {@link executeGasless} returns. */
export type ExecuteGaslessReturnType = ExecuteResponse;

/** What {@link executeGasless} throws. */
export type ExecuteGaslessErrorType = RequestErrorType;

/**
 * Has the service send a call and pay its gas (`POST /execute`). The client needs an API key.
 *
 * It is a submission, so it is never repeated: when it got no answer, read the request's status first. A call that
 * would revert is an HttpError whose `errorCode` is the label and whose `errorData` says where it reverted.
 *
 * @throws ExecuteGaslessErrorType
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
    method: "POST",
    operation: "handing in a gasless call",
    path: "/execute",
    safe: false,
    schema: executeResponseSchema,
    signal,
    timeout,
  });
}
