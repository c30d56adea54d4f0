import type * as z from "zod/mini";
import { type RequestsV2Page, requestsV2PageSchema } from "../schema/record/requestV2.ts";
import { type RequestsPage, requestsPageSchema } from "../schema/record/requestV3.ts";
import type { RequestFilterGroup } from "../schema/request/query/requestFilters.ts";
import { requestsV2QuerySchema } from "../schema/request/query/requestsV2Query.ts";
import { requestsV3QuerySchema } from "../schema/request/query/requestsV3Query.ts";
import type { CallOptions, Client } from "./internal/Client.ts";
import { chooseVersion, toJson, toQuery, type VersionChoice } from "./internal/parameters.ts";

/** The pages of requests, by version. */
export type RequestsByVersion = { v2: RequestsV2Page; v3: RequestsPage };

/** A version of the listing of requests. */
export type RequestsVersion = keyof RequestsByVersion;

type FieldsV2 = Partial<z.output<typeof requestsV2QuerySchema>>;
type FieldsV3 = Partial<Omit<z.output<typeof requestsV3QuerySchema>, "filters">>;
type SearchByVersion = {
  v2: { [Name in keyof FieldsV2]?: FieldsV2[Name] | undefined };
  v3: { [Name in keyof FieldsV3]?: FieldsV3[Name] | undefined } & {
    /** Filter groups, combined with OR; built by `anyOf`, `allOf` and `not`. */
    filters?: readonly RequestFilterGroup[] | undefined;
  };
};

/** Filters, all combined with AND. */
export type GetRequestsParameters<Version extends RequestsVersion = "v3"> = CallOptions &
  /** Default: `v3`. The service retires `v2` on 24 November 2026; `migrateRequestRecord` converts its records. */
  VersionChoice<Version, "v3"> &
  SearchByVersion[Version];

export type GetRequestsReturnType<Version extends RequestsVersion = "v3"> = RequestsByVersion[Version];

const endpoints = {
  v2: { querySchema: requestsV2QuerySchema, schema: requestsV2PageSchema },
  v3: { querySchema: requestsV3QuerySchema, schema: requestsPageSchema },
};

/**
 * Reads a page of the requests visible to an API key (`GET /requests/v3`). Needs an API key, or a proxy that adds one;
 * version 2 needs none. `iterateRequests` reads all pages.
 *
 * @throws RequestErrorType — InvalidParameterError for a parameter out of bounds, by name.
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
    operation: "reading requests",
    path: `/requests/${version}`,
    query: toQuery(querySchema, {
      ...fields,
      filters: filters === undefined ? undefined : toJson(filters, "filters"),
    }),
    retryCount,
    schema,
    signal,
    timeout,
  });
}
