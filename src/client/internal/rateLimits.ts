import { assertNumber } from "../../internal/readParts.ts";
import type { Sleep } from "../../internal/sleep.ts";

/** Endpoints that share a rate limit. */
export type RateLimitGroup = "other" | "quote" | "requests" | "status";

/** Rate limit of a group: a burst of `calls`, refilled over `perMs` milliseconds. */
export type RateLimit = { calls: number; perMs: number };

/** Limits by group; a group without one is unlimited. */
export type RateLimits = { readonly [Group in RateLimitGroup]?: RateLimit | undefined };

/**
 * Documented limits of the public service for one API key.
 *
 * @example
 * import { createClient, production, publicRateLimits } from "waybill/client";
 *
 * const client = createClient({ ...production, rateLimits: { ...publicRateLimits, quote: { calls: 10, perMs: 60_000 } } });
 * console.log(publicRateLimits.quote.calls); // 50
 */
export const publicRateLimits: Required<RateLimits> = Object.freeze({
  other: { calls: 200, perMs: 60_000 },
  quote: { calls: 50, perMs: 60_000 },
  requests: { calls: 200, perMs: 60_000 },
  status: { calls: 200, perMs: 60_000 },
});

/** Delays calls to stay within the service's rate limits. */
export type RateLimiter = {
  /** Resolves when a call of this path may start. */
  take: (path: string, signal: AbortSignal) => Promise<void>;
};

type Bucket = { readAt: number; tokens: number };

/**
 * Creates a token bucket for each group. Calls start in order of arrival; a cancelled wait returns its token.
 *
 * @throws InvalidParameterError when a limit is not a positive number.
 */
export function createRateLimiter(
  limits: RateLimits,
  { now, sleep }: { now: () => number; sleep: Sleep },
): RateLimiter {
  for (const [group, limit] of Object.entries(limits)) {
    if (limit === undefined) continue;
    assertNumber(`rateLimits.${group}.calls`, limit?.calls, 1);
    assertNumber(`rateLimits.${group}.perMs`, limit?.perMs, 1);
  }
  const buckets = new Map<RateLimitGroup, Bucket>();
  return {
    take: async (path, signal) => {
      const group = groupOf(path);
      const limit = limits[group];
      if (limit === undefined) return;
      const rate = limit.calls / limit.perMs;
      const time = now();
      const bucket = buckets.get(group) ?? { readAt: time, tokens: limit.calls };
      buckets.set(group, bucket);
      bucket.tokens = Math.min(limit.calls, bucket.tokens + Math.max(0, time - bucket.readAt) * rate);
      bucket.readAt = time;
      // Negative values count the waiting calls.
      bucket.tokens -= 1;
      if (bucket.tokens >= 0) return;
      try {
        await sleep(Math.ceil(-bucket.tokens / rate), signal);
      } catch (error) {
        bucket.tokens += 1;
        throw error;
      }
    },
  };
}

function groupOf(path: string): RateLimitGroup {
  if (path.startsWith("/quote")) return "quote";
  if (path.startsWith("/requests")) return "requests";
  return path.startsWith("/intents/status") ? "status" : "other";
}
