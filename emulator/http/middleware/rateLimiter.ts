import type { Context as HonoContext, MiddlewareHandler } from "hono";
import type { Deps } from "../route/Deps.ts";
import { createRequestCounter } from "./countRequests.ts";
import { presentedKey } from "./keyChecks.ts";
import { bucketOf, limitOf } from "./rateLimits.ts";
import { tooManyRequests } from "./tooManyRequests.ts";

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
