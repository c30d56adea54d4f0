import type * as z from "zod/mini";
import type { RequestFilterGroup } from "../schema/requestFilters.ts";
import { requestsV3QuerySchema } from "../schema/requestsV3Query.ts";
import { type RequestsPage, requestsPageSchema } from "../schema/requestV3.ts";
import type { CallOptions } from "./CallOptions.ts";
import type { Client } from "./Client.ts";
import type { RequestErrorType } from "./request.ts";
import { toJson } from "./toJson.ts";
import { toQuery } from "./toQuery.ts";

type Fields = Partial<Omit<z.output<typeof requestsV3QuerySchema>, "filters">>;

/** Parameters of {@link getRequests}, all combined with AND. */
export type GetRequestsParameters = CallOptions & {
  [Name in keyof Fields]?: Fields[Name] | undefined;
} & {
  /** Groups combined with OR; `anyOf`, `allOf` and `not` build them. */
  filters?: readonly RequestFilterGroup[] | undefined;
};

/** What {@link getRequests} returns. */
export type GetRequestsReturnType = RequestsPage;

/** What {@link getRequests} throws. */
export type GetRequestsErrorType = RequestErrorType;

/**
 * Reads one page of the requests that an API key may see (`GET /requests/v3`). The client needs an API key, or a proxy
 * that adds one. `iterateRequests` goes through all pages.
 *
 * @throws GetRequestsErrorType — InvalidParameterError names a parameter that is out of its bounds.
 *
 * @example
 * import { createClient, getRequests, not, production } from "waybill/client";
 *
 * const { requests, continuation } = await getRequests(createClient({ ...production, apiKey: "your-key" }), {
 *   filters: [not({ status: ["failure", "refund"] })],
 *   limit: 50,
 *   originChainId: 8453,
 * });
 * console.log(requests.length, continuation);
 */
export async function getRequests(
  client: Client,
  parameters: GetRequestsParameters = {},
): Promise<GetRequestsReturnType> {
  const { filters, retryCount, signal, timeout, ...fields } = parameters;
  return client.request({
    method: "GET",
    operation: "reading requests",
    path: "/requests/v3",
    query: toQuery(requestsV3QuerySchema, {
      ...fields,
      filters: filters === undefined ? undefined : toJson(filters, "filters"),
    }),
    retryCount,
    safe: true,
    schema: requestsPageSchema,
    signal,
    timeout,
  });
}
