import type { Context as HonoContext } from "hono";
import { type RequestsV2Page, requestsV2PageSchema } from "../../../../src/schema/record/requestV2.ts";
import { type RequestsPage, requestsPageSchema } from "../../../../src/schema/record/requestV3.ts";
import { filterConditions } from "../../../../src/schema/request/query/requestFilters.ts";
import { requestsV2QuerySchema } from "../../../../src/schema/request/query/requestsV2Query.ts";
import {
  type RequestsV3Query,
  requestsV3QuerySchema,
} from "../../../../src/schema/request/query/requestsV3Query.ts";
import { quoteErrorSchema, retiringErrorSchema } from "../../../../src/schema/wire/errorBody.ts";
import { sunsetOf } from "../../../context/EmulatorConfig.ts";
import { hiddenChains } from "../../../context/places.ts";
import type { ApiKey } from "../../../keys/openApiKeys.ts";
import { loadRequestParts, type Viewer } from "../../../requests/record/RequestParts.ts";
import { requestRecordV2 } from "../../../requests/record/requestRecordV2.ts";
import { requestRecordV3 } from "../../../requests/record/requestRecordV3.ts";
import type { SearchQuery } from "../../../requests/search/SearchQuery.ts";
import { searchRequests } from "../../../requests/search/searchRequests.ts";
import type { Store } from "../../../store/tables.ts";
import { InvalidRequestError } from "../../body/readBody.ts";
import { presentedKey, requireKey } from "../../middleware/keyChecks.ts";
import {
  deprecationNotice,
  refuseFormerParameters,
  refuseLaterParameters,
  refuseRetired,
  retiringHeaders,
} from "../../middleware/retiring.ts";
import { type Answer, type Deps, defineRoute, errorAnswer, type Route } from "../../route/Route.ts";
import { pageNotes, readSearchV2, readSearchV3, searchNotes, writeCursor } from "./readSearch.ts";

type Parameters = {
  readonly context: Pick<
    Deps["context"],
    "accounts" | "apiKeys" | "chains" | "control" | "now" | "privateChains" | "store"
  >;
};

const notOwnKey: Answer = {
  body: quoteErrorSchema,
  description: "A parameter `apiKey` that is not the key of the header",
  errorCodes: ["FORBIDDEN"],
};

/**
 * `GET /requests/v3` and its predecessor (specification, "GET /requests/v2" and "GET /requests/v3"). `GET /requests`, whose shape
 * is not shown, answers as its successor, version 2, and retires with it.
 */
export function requestsRoutes({ context }: Parameters): readonly Route[] {
  return [
    listingV3(context),
    olderListing(context, { operationId: "getRequestsV2", path: "/requests/v2" }),
    olderListing(context, { operationId: "getRequestsV1", path: "/requests" }),
  ];
}

function olderListing(
  context: Parameters["context"],
  { operationId, path }: { readonly operationId: string; readonly path: "/requests" | "/requests/v2" },
): Route {
  const { apiKeys, control, now, store } = context;
  const sunsetAt = () => sunsetOf(control.config.get());
  return defineRoute({
    endpoint: `GET ${path}`,
    operationId,
    tag: "Requests",
    summary: "Requests that match every condition, older form",
    description:
      "Deprecated since 22 July 2026 and gone from 24 November 2026, by the emulator's clock, unless the configuration says otherwise.",
    deprecated: true,
    headers: retiringHeaders,
    before: [refuseRetired(now, sunsetAt), refuseLaterParameters],
    query: requestsV2QuerySchema,
    notes: {
      ...pageNotes,
      hash: "Of the origin or the destination transaction.",
      referrer: "Needs `apiKey`.",
      user: "Sender, recipient or deposit address.",
    },
    answers: {
      200: { body: requestsV2PageSchema, description: "A page" },
      400: {
        body: quoteErrorSchema,
        description: "`referrer` without `apiKey`, or a parameter of version 3",
        errorCodes: ["INVALID_REQUEST"],
      },
      403: notOwnKey,
      410: { body: retiringErrorSchema, description: "The endpoint is gone" },
      429: {
        body: retiringErrorSchema,
        description: "Too many requests; the successor has limits of its own",
      },
    },
    handle: async ({ http, query }) => {
      const { apiKey, referrer } = query;
      const own = presentedKey(http, apiKeys);
      if (referrer !== undefined && apiKey === undefined) {
        throw new InvalidRequestError("`referrer` needs `apiKey`");
      }
      if (apiKey !== undefined && !isKey(own, apiKey)) return foreignKey(http);
      const search = withoutHidden(
        readSearchV2(query, () => own?.id ?? ""),
        query,
        context,
      );
      const { continuation, ids } = await pageOf(store, search);
      const viewer = viewerOf(own, query);
      const parts = await loadRequestParts(context, ids);
      const answer: RequestsV2Page = {
        ...(continuation !== undefined && { continuation }),
        deprecation: deprecationNotice(http, sunsetAt()),
        requests: parts.map((one) => requestRecordV2(one, viewer)),
      };
      return http.json(answer);
    },
  });
}

function listingV3(context: Parameters["context"]): Route {
  const { apiKeys, store } = context;
  return defineRoute({
    endpoint: "GET /requests/v3",
    operationId: "getRequests",
    tag: "Requests",
    summary: "Requests that match every condition",
    apiKey: "required",
    before: [requireKey(apiKeys), refuseFormerParameters],
    query: requestsV3QuerySchema,
    notes: { ...pageNotes, ...searchNotes },
    answers: {
      200: { body: requestsPageSchema, description: "A page" },
      403: notOwnKey,
    },
    handle: async ({ http, query }) => {
      const own = presentedKey(http, apiKeys);
      if (!keysOf(query).every((key) => isKey(own, key))) return foreignKey(http);
      const search = withoutHidden(
        readSearchV3(query, () => own?.id ?? ""),
        query,
        context,
      );
      const { continuation, ids, total } = await pageOf(store, search, query.includeTotal);
      const viewer = viewerOf(own, query);
      const parts = await loadRequestParts(context, ids);
      const answer: RequestsPage = {
        ...(continuation !== undefined && { continuation }),
        requests: parts.map((one) => requestRecordV3(one, viewer)),
        ...(total !== undefined && { total }),
      };
      return http.json(answer);
    },
  });
}

/** Leaves out requests from and to private chains that the query does not name. */
function withoutHidden(
  search: SearchQuery,
  { privateChainsToInclude }: { privateChainsToInclude?: readonly string[] | undefined },
  context: Parameters["context"],
): SearchQuery {
  const values = hiddenChains(context, privateChainsToInclude);
  if (values.length === 0) return search;
  return { ...search, conditions: [...search.conditions, { field: "chainId", negated: true, values }] };
}

type Page = {
  readonly ids: readonly string[];
  readonly continuation: string | undefined;
  /** Number of matches on all pages, if requested. */
  readonly total: number | undefined;
};

/** Finds a page. The search returns one request more than the page if a next page exists. */
export async function pageOf(store: Store, search: SearchQuery, wantsTotal?: boolean): Promise<Page> {
  const { places, total } = await searchRequests(store, search, { wantsTotal });
  const page = places.slice(0, search.limit - 1);
  const last = page.at(-1);
  const isLast = places.length < search.limit || last === undefined;
  return {
    continuation: isLast ? undefined : writeCursor(search.sort, last),
    ids: page.map(({ id }) => id),
    total,
  };
}

function keysOf({ apiKey = [], filters = [] }: RequestsV3Query): readonly string[] {
  const named = filters
    .flatMap(filterConditions)
    .filter(({ field }) => field === "apiKey")
    .flatMap(({ values }) => values.map(String));
  return [...apiKey, ...named];
}

/** A key may be named by itself or by its id. */
function isKey(own: ApiKey | undefined, named: string): boolean {
  return own !== undefined && (named === own.key || named === own.id);
}

function foreignKey(http: HonoContext): Response {
  return errorAnswer(http, 403, "`apiKey` must be the key of the header `x-api-key`", {
    errorCode: "FORBIDDEN",
  });
}

function viewerOf(
  own: ApiKey | undefined,
  query: { includeAuthenticatedData?: boolean | undefined; includeOrderData?: boolean | undefined },
): Viewer {
  const { includeAuthenticatedData = false, includeOrderData = false } = query;
  return { apiKeyId: own?.id, includeAuthenticatedData, includeOrderData };
}
