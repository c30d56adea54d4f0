import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { CorsOrigins } from "../../access/isOriginAllowed.ts";

/** Tells browsers which pages may read answers; `false` tells them nothing. */
export function allowOrigins(origins: Exclude<CorsOrigins, false> | undefined): MiddlewareHandler {
  if (typeof origins === "object") return cors({ origin: [...origins] });
  const preflight = cors({ origin: "*" });
  return (http, next) => {
    if (http.req.method === "OPTIONS") return preflight(http, next);
    // Before there is an answer: on one that is there it would have the answer made anew, with its body as a stream.
    http.header("Access-Control-Allow-Origin", "*");
    return next();
  };
}
