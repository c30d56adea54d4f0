import type * as z from "zod/mini";
import { requestsV2QuerySchema } from "../schema/requestsV2Query.ts";
import { type RequestsV2Page, requestsV2PageSchema } from "../schema/requestV2.ts";
import type { CallOptions } from "./CallOptions.ts";
import type { Client } from "./Client.ts";
import type { RequestErrorType } from "./request.ts";
import { toQuery } from "./toQuery.ts";

type Fields = Partial<z.output<typeof requestsV2QuerySchema>>;

/** Parameters of {@link getRequestsV2}, all combined with AND. */
export type GetRequestsV2Parameters = CallOptions & { [Name in keyof Fields]?: Fields[Name] | undefined };

/** What {@link getRequestsV2} returns. */
export type GetRequestsV2ReturnType = RequestsV2Page;

/** What {@link getRequestsV2} throws. */
export type GetRequestsV2ErrorType = RequestErrorType;

/**
 * Reads one page of requests in their second version (`GET /requests/v2`).
 *
 * @deprecated The service retires the endpoint on 24 November 2026. Use `getRequests`, and `migrateRequestRecord` for
 * records that are stored already.
 * @throws GetRequestsV2ErrorType
 *
 * @example
 * import { createClient, getRequestsV2, migrateRequestRecord, production } from "waybill/client";
 *
 * const { requests } = await getRequestsV2(createClient(production), { limit: 50, originChainId: 8453 });
 * console.log(requests.map(migrateRequestRecord).length);
 */
export async function getRequestsV2(
  client: Client,
  parameters: GetRequestsV2Parameters = {},
): Promise<GetRequestsV2ReturnType> {
  const { retryCount, signal, timeout, ...fields } = parameters;
  return client.request({
    method: "GET",
    operation: "reading requests",
    path: "/requests/v2",
    query: toQuery(requestsV2QuerySchema, fields),
    retryCount,
    safe: true,
    schema: requestsV2PageSchema,
    signal,
    timeout,
  });
}
