import { html } from "hono/html";
import type { RequestRow } from "../../store/tables.ts";
import type { Html } from "./explorerPage.ts";

/** The requests that a page is about, with their statuses. */
export function requestsSection(requests: readonly Pick<RequestRow, "id" | "status">[]): Html {
  return html`<h2>Requests</h2>
${
  requests.length === 0
    ? html`<p class="muted">There are none.</p>`
    : html`<ul>${requests.map(
        ({ id, status }) =>
          html`<li><a href="/intents/status/v3?requestId=${encodeURIComponent(id)}"><code>${id}</code></a> ${status}</li>`,
      )}</ul>`
}`;
}
