import { Hono, type Context as HonoContext } from "hono";
import { filterConditions } from "../../../src/schema/filterConditions.ts";
import { requestsV2QuerySchema } from "../../../src/schema/requestsV2Query.ts";
import { type RequestsV3Query, requestsV3QuerySchema } from "../../../src/schema/requestsV3Query.ts";
import type { RequestsV2Page } from "../../../src/schema/requestV2.ts";
import type { RequestsPage } from "../../../src/schema/requestV3.ts";
import type { ApiKey } from "../../keys/ApiKey.ts";
import { loadRequestParts } from "../../records/RequestParts.ts";
import { requestRecordV2 } from "../../records/requestRecordV2.ts";
import { requestRecordV3 } from "../../records/requestRecordV3.ts";
import type { Viewer } from "../../records/Viewer.ts";
import type { Store } from "../../store/openStore.ts";
import { countRequests } from "../../store/search/countRequests.ts";
import type { SearchQuery } from "../../store/search/SearchQuery.ts";
import { searchRequests } from "../../store/search/searchRequests.ts";
import { presentedKey } from "../apiKey.ts";
import type { Deps } from "../Deps.ts";
import { errorAnswer } from "../errorBody.ts";
import { retiredAt } from "../limits/retirement.ts";
import { readQuery } from "../readJson.ts";
import { writeCursor } from "../requests/cursor.ts";
import { readSearchV2, readSearchV3 } from "../requests/readSearch.ts";
import { deprecationNotice, retiringBody, setRetiringHeaders } from "../requests/retiring.ts";

/** `GET /requests/v3` and its predecessor (specification, "GET /requests/v2" and "GET /requests/v3"). */
export function requestsRoute({
  context: { apiKeys, now, store },
}: {
  readonly context: Pick<Deps["context"], "apiKeys" | "now" | "store">;
}): Hono {
  return new Hono()
    .use("/requests/v2", async (http, next) => {
      setRetiringHeaders(http);
      if (now() < retiredAt) return next();
      return http.json(retiringBody(http, "GET /requests/v2 was retired on 24 November 2026"), 410);
    })
    .get("/requests/v2", async (http) => {
      const query = readQuery(http, requestsV2QuerySchema);
      const { apiKey, referrer } = query;
      const own = presentedKey(http, apiKeys);
      if (referrer !== undefined && apiKey === undefined) {
        return errorAnswer(http, 400, "`referrer` needs `apiKey`", { errorCode: "INVALID_REQUEST" });
      }
      if (apiKey !== undefined && !isKey(own, apiKey)) return foreignKey(http);
      const search = readSearchV2(query, () => own?.id ?? "");
      const { continuation, ids } = await pageOf(store, search);
      const viewer = viewerOf(own, query);
      const parts = await loadRequestParts(store, ids);
      const answer: RequestsV2Page = {
        ...(continuation !== undefined && { continuation }),
        deprecation: deprecationNotice(http),
        requests: parts.map((one) => requestRecordV2(one, viewer)),
      };
      return http.json(answer);
    })
    .get("/requests/v3", async (http) => {
      const own = presentedKey(http, apiKeys);
      if (own === undefined) {
        return errorAnswer(http, 401, "The header `x-api-key` must carry an API key", {
          errorCode: "UNAUTHORIZED",
        });
      }
      const query = readQuery(http, requestsV3QuerySchema);
      if (!keysOf(query).every((key) => isKey(own, key))) return foreignKey(http);
      const search = readSearchV3(query, () => own.id);
      const { continuation, ids } = await pageOf(store, search);
      const viewer = viewerOf(own, query);
      const parts = await loadRequestParts(store, ids);
      const answer: RequestsPage = {
        ...(continuation !== undefined && { continuation }),
        requests: parts.map((one) => requestRecordV3(one, viewer)),
        ...(query.includeTotal === true && { total: await countRequests(store, search) }),
      };
      return http.json(answer);
    });
}

/** One more than the page is searched for: whether there is one decides about the cursor. */
async function pageOf(
  store: Store,
  search: SearchQuery,
): Promise<{ readonly ids: readonly string[]; readonly continuation: string | undefined }> {
  const found = await searchRequests(store, search);
  const page = found.slice(0, search.limit - 1);
  const last = page.at(-1);
  const isLast = found.length < search.limit || last === undefined;
  return {
    continuation: isLast ? undefined : writeCursor(search.sort, last),
    ids: page.map(({ id }) => id),
  };
}

/** Every key that a query names. */
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
