import { type Status, statusSchema } from "../schema/status.ts";
import { assertRequestId } from "./assertRequestId.ts";
import type { CallOptions } from "./CallOptions.ts";
import type { Client } from "./createClient.ts";
import { type RequestErrorType, request } from "./request.ts";

/** Parameters of {@link getStatus}. */
export type GetStatusParameters = CallOptions & {
  /** 32 bytes in hexadecimal. */
  requestId: string;
};

/** What {@link getStatus} returns. */
export type GetStatusReturnType = Status;

/** What {@link getStatus} throws. */
export type GetStatusErrorType = RequestErrorType;

/**
 * Reads the status of a request once (`GET /intents/status/v3`). The service asks for at most one read a
 * second; `waitForRequest` keeps to that.
 *
 * @throws GetStatusErrorType
 *
 * @example
 * import { createClient, getStatus } from "waybill/client";
 *
 * const requestId = "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a";
 * console.log((await getStatus(createClient(), { requestId })).status);
 */
export async function getStatus(
  client: Client,
  parameters: GetStatusParameters,
): Promise<GetStatusReturnType> {
  const { requestId, ...options } = parameters;
  assertRequestId(requestId);
  return request(client, {
    ...options,
    method: "GET",
    operation: "reading the status of a request",
    path: "/intents/status/v3",
    query: { requestId },
    safe: true,
    schema: statusSchema,
  });
}
