import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { hostnameOf, isLoopback } from "../../access/hostRule.ts";
import type { ApiKey, ApiKeys } from "../../keys/openApiKeys.ts";
import { isSameSecret } from "../../keys/secrets.ts";
import { errorAnswer } from "../route/Route.ts";

type Presented = Pick<ApiKeys, "find" | "forNone">;

/** Refuses requests with an unknown API key. Requests without a key pass: most endpoints need none. */
export function apiKeyCheck(apiKeys: Pick<ApiKeys, "find">): MiddlewareHandler {
  return (http, next) => {
    const presented = http.req.header("x-api-key");
    if (presented !== undefined && apiKeys.find(presented) === undefined) {
      return Promise.resolve(errorAnswer(http, 401, "Unknown API key", { errorCode: "UNAUTHORIZED" }));
    }
    return next();
  };
}

/** Refuses requests without an API key, unless they count as the default key's. */
export function requireKey(apiKeys: Presented): MiddlewareHandler {
  return async (http, next) => {
    if (presentedKey(http, apiKeys) !== undefined) return next();
    return errorAnswer(http, 401, "The header `x-api-key` must carry an API key", {
      errorCode: "UNAUTHORIZED",
    });
  };
}

/** The active API key that a request presents; without one the default key, if it is on and the request is sent to loopback. */
export function presentedKey(http: HonoContext, apiKeys: Presented): ApiKey | undefined {
  const presented = http.req.header("x-api-key");
  if (presented !== undefined) return apiKeys.find(presented);
  // Requests by way of a proxy or from a container name other hosts.
  const host = http.req.header("host") ?? new URL(http.req.url).host;
  return isLoopback(hostnameOf(host)) ? apiKeys.forNone() : undefined;
}

/**
 * Refuses requests without the admin key in the header `x-admin-key`. The start-up document gives the key to the operator as
 * `adminKey`.
 */
export function adminKeyCheck(adminKey: string): MiddlewareHandler {
  return async (http, next) => {
    const presented = http.req.header("x-admin-key");
    if (presented === undefined || !isSameSecret(adminKey, presented)) {
      return errorAnswer(http, 401, "The header `x-admin-key` must carry the admin key", {
        errorCode: "UNAUTHORIZED",
      });
    }
    return next();
  };
}
