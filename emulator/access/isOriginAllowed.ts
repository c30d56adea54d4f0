import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a browser page may use a resource that CORS does not protect, such as a websocket: browsers send the page's origin
 * and leave the decision to the server. Requests without an origin and of the server's own origin are allowed.
 */
export function isOriginAllowed(
  { host, origin }: Pick<IncomingHttpHeaders, "host" | "origin">,
  cors: CorsOrigins,
): boolean {
  if (origin === undefined || cors === true) return true;
  if (host !== undefined && origin === `http://${host}`) return true;
  return cors !== false && cors.includes(origin);
}

/** Browser origins that may read responses: any (`true`), a list, or none (`false`). */
export type CorsOrigins = boolean | readonly string[];
