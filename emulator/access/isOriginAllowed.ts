import type { IncomingHttpHeaders } from "node:http";
import type { CorsOrigins } from "./CorsOrigins.ts";

/**
 * Whether a page may use what answers to anyone, a websocket for one: browsers send its origin and leave the decision to the
 * server. What is no page sends none; our own pages have the origin that is asked.
 */
export function isOriginAllowed(
  { host, origin }: Pick<IncomingHttpHeaders, "host" | "origin">,
  cors: CorsOrigins,
): boolean {
  if (origin === undefined || cors === true) return true;
  if (host !== undefined && origin === `http://${host}`) return true;
  return cors !== false && cors.includes(origin);
}
