import { createHash } from "node:crypto";
import type { Context as HonoContext } from "hono";
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

/**
 * Answers with a self-contained page. Its Content-Security-Policy forbids loading, scripts, framing and forms, and allows the
 * page's own style by hash.
 */
export function htmlPage(
  http: HonoContext,
  content: HtmlEscapedString | Promise<HtmlEscapedString>,
): Response | Promise<Response> {
  const policy = [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "img-src data:",
    `style-src 'sha256-${createHash("sha256").update(consoleStyle).digest("base64")}'`,
  ];
  http.header("cache-control", "no-store");
  http.header("content-security-policy", policy.join("; "));
  http.header("referrer-policy", "no-referrer");
  http.header("x-content-type-options", "nosniff");
  return http.html(content);
}

/** Style of the pages. Colours keep a contrast of 4.5:1 and more in both schemes. */
const consoleStyle = `
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1b1f24; --muted: #57606a; --line: #8c959f; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #0d1117; --ink: #e6edf3; --muted: #9da7b3; --line: #6e7681; --link: #79c0ff; }
}
body { margin: 0 auto; padding: 1rem; max-width: 80rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
a { color: var(--link); }
code { font: 0.875rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.muted, caption { color: var(--muted); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 0 0 1.5rem; }
caption { text-align: left; padding: 0.25rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.375rem 0.75rem 0.375rem 0; border-bottom: 1px solid var(--line); }
`;

export type Html = ReturnType<typeof html>;

/** The frame of every page: one self-contained document. The template escapes every value. */
export function page({
  content,
  head = "",
  header,
  title,
}: {
  readonly title: string;
  readonly content: Html;
  /** What precedes the main part. */
  readonly header: Html;
  /** More elements of the head. */
  readonly head?: Html | string;
}): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(consoleStyle)}</style>
</head>
<body>
${header}
<main id="content">
${content}
</main>
</body>
</html>`;
}

/** A table whose rows begin with their name. */
export function table(
  caption: string,
  rows: readonly (readonly unknown[])[],
  columns: readonly string[] = [],
): Html {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption>${caption}</caption>
${columns.length === 0 ? "" : html`<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>`}
<tbody>
${rows.map(([name, ...values]) => html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td>${value}</td>`)}</tr>`)}
</tbody>
</table>
</div>`;
}

/** Text in the font of code. */
export function code(text: unknown): Html {
  return html`<code>${text}</code>`;
}
