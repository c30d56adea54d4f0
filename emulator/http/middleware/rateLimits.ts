import type { ApiKey } from "../../keys/ApiKey.ts";
import { retirementFactor } from "./retirement.ts";

/** Maximum requests in a window of milliseconds. */
export type RateLimit = { readonly requests: number; readonly windowMs: number };

/** Group of endpoints that share a limit. */
export type RateBucket = "quote" | "requests" | "requests-v3" | "transactions-status" | "other";

const perMinute = (requests: number): RateLimit => ({ requests, windowMs: 60_000 });
const perSecond = (requests: number): RateLimit => ({ requests, windowMs: 1_000 });

/** Limits of an ordinary API key. */
const ordinary: Readonly<Record<RateBucket, RateLimit>> = {
  other: perMinute(200),
  quote: perMinute(50),
  requests: perMinute(200),
  "requests-v3": perMinute(200),
  "transactions-status": perMinute(200),
};

/** Limits of an elevated API key. */
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
  if (/^\/(?:admin|console|docs|explorer|images|openapi\.json|ws)(?:\/|$)/.test(path)) return undefined;
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
