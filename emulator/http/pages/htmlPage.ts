import { createHash } from "node:crypto";
import type { Context as HonoContext } from "hono";
import type { HtmlEscapedString } from "hono/utils/html";

/**
 * Answers with a self-contained page. Its Content-Security-Policy forbids loading, scripts, framing and forms, and allows the
 * page's own style by hash.
 */
export function htmlPage(
  http: HonoContext,
  page: HtmlEscapedString | Promise<HtmlEscapedString>,
  style: string,
): Response | Promise<Response> {
  const policy = [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "img-src data:",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  ];
  http.header("cache-control", "no-store");
  http.header("content-security-policy", policy.join("; "));
  http.header("referrer-policy", "no-referrer");
  http.header("x-content-type-options", "nosniff");
  return http.html(page);
}
