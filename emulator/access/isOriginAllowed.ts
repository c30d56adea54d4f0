import type { IncomingHttpHeaders } from "node:http";

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

/** Which pages in a browser may read answers: any, those of some origins, or none. */
export type CorsOrigins = boolean | readonly string[];
