import type { Context as HonoContext } from "hono";
import { bucketOf } from "./rateLimits.ts";
import { retiringBody } from "./retiring.ts";

/** Refuses a request beyond a limit: with a sentence, and where to go from an endpoint that is being retired. */
export function tooManyRequests(http: HonoContext): Response {
  const message = "Too many requests";
  return http.json(bucketOf(http.req.path) === "requests" ? retiringBody(http, message) : { message }, 429);
}
