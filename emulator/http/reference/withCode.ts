import { html } from "hono/html";
import type { Html } from "./schemaText.ts";

/** Text whose parts between backticks are code. */
export function withCode(text: string): Html {
  return html`${text.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}
