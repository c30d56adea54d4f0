import type { Context as HonoContext } from "hono";
import { bucketOf } from "./rateLimits.ts";
import { retiringBody } from "./retiring.ts";

/** Answers 429; for the retiring listing also names its successor. */
export function tooManyRequests(http: HonoContext): Response {
  const message = "Too many requests";
  return http.json(bucketOf(http.req.path) === "requests" ? retiringBody(http, message) : { message }, 429);
}
