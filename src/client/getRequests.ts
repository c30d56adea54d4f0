import type * as z from "zod/mini";
import { type RequestsV2Page, requestsV2PageSchema } from "../schema/record/requestV2.ts";
import { type RequestsPage, requestsPageSchema } from "../schema/record/requestV3.ts";
import type { RequestFilterGroup } from "../schema/request/query/requestFilters.ts";
import { requestsV2QuerySchema } from "../schema/request/query/requestsV2Query.ts";
import { requestsV3QuerySchema } from "../schema/request/query/requestsV3Query.ts";
import type { CallOptions } from "./internal/CallOptions.ts";
import type { Client } from "./internal/Client.ts";
import { chooseVersion, type VersionChoice } from "./internal/chooseVersion.ts";
import type { RequestErrorType } from "./internal/request.ts";
import { toJson } from "./internal/toJson.ts";
import { toQuery } from "./internal/toQuery.ts";

/** The pages of requests, by version. */
export type RequestsByVersion = { v2: RequestsV2Page; v3: RequestsPage };

/** A version of the listing of requests. */
export type RequestsVersion = keyof RequestsByVersion;

type FieldsV2 = Partial<z.output<typeof requestsV2QuerySchema>>;
type FieldsV3 = Partial<Omit<z.output<typeof requestsV3QuerySchema>, "filters">>;
type SearchByVersion = {
  v2: { [Name in keyof FieldsV2]?: FieldsV2[Name] | undefined };
  v3: { [Name in keyof FieldsV3]?: FieldsV3[Name] | undefined } & {
    /** Groups combined with OR; `anyOf`, `allOf` and `not` build them. */
    filters?: readonly RequestFilterGroup[] | undefined;
  };
};

/** Parameters of {@link getRequests}, all combined with AND. */
export type GetRequestsParameters<Version extends RequestsVersion = "v3"> = CallOptions &
  /** Default `v3`. The service retires `v2` on 24 November 2026; `migrateRequestRecord` writes its records as version 3. */
  VersionChoice<Version, "v3"> &
  SearchByVersion[Version];

/** What {@link getRequests} returns. */
export type GetRequestsReturnType<Version extends RequestsVersion = "v3"> = RequestsByVersion[Version];

/** What {@link getRequests} throws. */
export type GetRequestsErrorType = RequestErrorType;

const endpoints = {
  v2: { querySchema: requestsV2QuerySchema, schema: requestsV2PageSchema },
  v3: { querySchema: requestsV3QuerySchema, schema: requestsPageSchema },
};

/**
 * Reads one page of the requests that an API key may see (`GET /requests/v3`). The client needs an API key, or a proxy
 * that adds one; version 2 needs none. `iterateRequests` goes through all pages.
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
  parameters?: GetRequestsParameters,
): Promise<GetRequestsReturnType>;
export async function getRequests<Version extends RequestsVersion = "v3">(
  client: Client,
  parameters: GetRequestsParameters<Version>,
): Promise<GetRequestsReturnType<Version>>;
export async function getRequests(
  client: Client,
  parameters: GetRequestsParameters<RequestsVersion> & Pick<SearchByVersion["v3"], "filters"> = {},
): Promise<GetRequestsReturnType<RequestsVersion>> {
  const { filters, retryCount, signal, timeout, version = "v3", ...fields } = parameters;
  const { querySchema, schema } = chooseVersion(endpoints, version);
  return client.request<z.ZodMiniType<GetRequestsReturnType<RequestsVersion>>>({
    method: "GET",
    operation: "reading requests",
    path: `/requests/${version}`,
    query: toQuery(querySchema, {
      ...fields,
      filters: filters === undefined ? undefined : toJson(filters, "filters"),
    }),
    retryCount,
    safe: true,
    schema,
    signal,
    timeout,
  });
}
