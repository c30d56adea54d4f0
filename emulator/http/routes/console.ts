import { createHash } from "node:crypto";
import { Hono } from "hono";
import type { Deps } from "../Deps.ts";
import { consolePage } from "./consolePage.ts";
import { consoleStyle } from "./consoleStyle.ts";

/** Where the console is. */
export const consolePath = "/console";

const requestCount = 50;

/** Nothing may be loaded, run, framed or sent; the page's own style is known by its hash. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src data:",
  `style-src 'sha256-${createHash("sha256").update(consoleStyle).digest("base64")}'`,
].join("; ");

/** `GET /console`: chains and latest requests for people. `?refresh=off` keeps the page as it is. */
export function consoleRoute({ context }: Deps): Hono {
  return new Hono().get(consolePath, async (http) => {
    const requests = await context.store
      .selectFrom("requests")
      .selectAll()
      .orderBy("created_at", "desc")
      .orderBy("id")
      .limit(requestCount)
      .execute();
    http.header("cache-control", "no-store");
    http.header("content-security-policy", contentSecurityPolicy);
    http.header("referrer-policy", "no-referrer");
    http.header("x-content-type-options", "nosniff");
    const chains = [...context.chains.values()];
    const isRefreshed = http.req.query("refresh") !== "off";
    return http.html(consolePage({ chains, isRefreshed, now: context.now(), requests }));
  });
}
