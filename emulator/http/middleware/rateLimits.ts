import type { Context as HonoContext, MiddlewareHandler } from "hono";
import type { ApiKey } from "../../keys/openApiKeys.ts";
import type { Deps } from "../route/Route.ts";
import { presentedKey } from "./keyChecks.ts";
import { retirementFactor, retiringBody } from "./retiring.ts";

/** Maximum requests in a window of milliseconds. */
export type RateLimit = { readonly requests: number; readonly windowMs: number };

/** Group of endpoints that share a limit. */
export type RateBucket = "quote" | "requests" | "requests-v3" | "transactions-status" | "other";

const perMinute = (requests: number): RateLimit => ({ requests, windowMs: 60_000 });
const perSecond = (requests: number): RateLimit => ({ requests, windowMs: 1_000 });

const ordinary: Readonly<Record<RateBucket, RateLimit>> = {
  other: perMinute(200),
  quote: perMinute(50),
  requests: perMinute(200),
  "requests-v3": perMinute(200),
  "transactions-status": perMinute(200),
};

const elevated: Readonly<Record<RateBucket, RateLimit>> = {
  ...ordinary,
  quote: perSecond(10),
  requests: perSecond(10),
  "requests-v3": perSecond(20),
};

/** Limits by address without a key: version 2 of the listing allows half as much (specification, "Authentication"). */
const withoutKey: Readonly<Record<RateBucket, RateLimit>> = { ...ordinary, requests: perMinute(100) };

/** The bucket of a path; `undefined` for paths without a limit: documents, pages, images, administration. */
export function bucketOf(path: string): RateBucket | undefined {
  if (/^\/(?:admin|console|docs|explorer|images|openapi\.json|svm|ws)(?:\/|$)/.test(path)) return undefined;
  if (path === "/quote" || path.startsWith("/quote/")) return "quote";
  if (path === "/requests/v3") return "requests-v3";
  if (path === "/requests" || path === "/requests/v2") return "requests";
  return path.startsWith("/transactions/status") ? "transactions-status" : "other";
}

/** The limit of a bucket at a time. The limit of the retiring listing shrinks each month. */
export function limitOf(
  bucket: RateBucket,
  apiKey: Pick<ApiKey, "isElevated"> | undefined,
  now: number,
): RateLimit {
  const limits = apiKey === undefined ? withoutKey : apiKey.isElevated ? elevated : ordinary;
  const limit = limits[bucket];
  if (bucket !== "requests") return limit;
  return { ...limit, requests: Math.max(1, Math.floor(limit.requests * retirementFactor(now))) };
}

/** Enforces the service's rate limits if they are switched on. Like the service, it sends no `Retry-After`. */
export function rateLimiter({ context }: Pick<Deps, "context">): MiddlewareHandler {
  const counter = createRequestCounter();
  return (http, next) => {
    const bucket = context.control.config.get().rateLimits ? bucketOf(http.req.path) : undefined;
    if (bucket === undefined || http.req.method === "OPTIONS") return next();
    const apiKey = presentedKey(http, context.apiKeys);
    const now = context.now();
    const who = apiKey === undefined ? `address ${addressOf(http)}` : `key ${apiKey.id}`;
    if (counter.count(`${bucket} ${who}`, limitOf(bucket, apiKey, now), now)) return next();
    return Promise.resolve(tooManyRequests(http));
  };
}

/** Remote address of a request; `none` for requests without a socket. */
function addressOf({ env }: HonoContext): string {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return incoming?.socket?.remoteAddress ?? "none";
}

/** Counts requests in fixed windows aligned to the clock's minutes or seconds. */
type RequestCounter = {
  /** Counts a request. @returns Whether it is within the limit. */
  count(who: string, limit: RateLimit, now: number): boolean;
};

/** Creates a counter in the memory of this process. */
function createRequestCounter(): RequestCounter {
  const windows = new Map<string, { until: number; requests: number }>();
  return {
    count: (who, { requests, windowMs }, now) => {
      const until = (Math.floor(now / windowMs) + 1) * windowMs;
      const name = `${windowMs} ${who}`;
      const window = windows.get(name);
      if (window?.until === until) {
        window.requests++;
        return window.requests <= requests;
      }
      windows.set(name, { requests: 1, until });
      return requests >= 1;
    },
  };
}

/** Answers 429; for the retiring listing also names its successor. */
export function tooManyRequests(http: HonoContext): Response {
  const message = "Too many requests";
  return http.json(bucketOf(http.req.path) === "requests" ? retiringBody(http, message) : { message }, 429);
}
