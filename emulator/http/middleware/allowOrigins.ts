import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { CorsOrigins } from "../../access/isOriginAllowed.ts";

/** Sets the CORS headers for the allowed origins. */
export function allowOrigins(origins: Exclude<CorsOrigins, false> | undefined): MiddlewareHandler {
  if (typeof origins === "object") return cors({ origin: [...origins] });
  const preflight = cors({ origin: "*" });
  return (http, next) => {
    if (http.req.method === "OPTIONS") return preflight(http, next);
    // Set before the response exists: changing headers later would rebuild it with a streamed body.
    http.header("Access-Control-Allow-Origin", "*");
    return next();
  };
}
