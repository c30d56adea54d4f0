import { html, raw } from "hono/html";
import type { Chain } from "../../chains/Chain.ts";
import { explorerPath } from "../../currencies/currencyId.ts";
import { consolePath } from "../pages/consolePage.ts";
import { consoleStyle } from "../pages/htmlPage.ts";
import type { ShownRequest } from "./shownRequests.ts";

/** A chain, as links name it. */
type Shown = Pick<Chain, "definition">;

/** HTML with escaped values. */
export type Html = ReturnType<typeof html>;

/** Pages of a chain that is no EVM chain; `undefined` for what it does not have. */
export type LedgerPages = {
  readonly chain: Shown;
  home(): Promise<Html>;
  transaction(hash: string): Promise<Html | undefined>;
  account(address: string): Promise<Html | undefined>;
};

/** Page frame of the explorer, without scripts or external resources. The template escapes every value. */
export function explorerPage(title: string, chain: Shown | undefined, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(consoleStyle)}</style>
</head>
<body>
<header>
<p><a href="${consolePath}">Waybill emulator</a>${chain === undefined ? "" : html`, ${chainLink(chain)}`}</p>
</header>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>`;
}

function chainLink({ definition: { displayName, id } }: Shown): Html {
  return html`<a href="${explorerPath}/${id}">${displayName}</a>`;
}

/** Table of names and values. */
export function factsTable(
  caption: string,
  rows: readonly (readonly [name: string | number, value: unknown])[],
): Html {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption>${caption}</caption>
<tbody>
${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}
</tbody>
</table>
</div>`;
}

/** Link to the page of an address, with its name. */
export function addressLink({ definition }: Shown, address: string, name?: string): Html {
  return html`<a href="${explorerPath}/${definition.id}/address/${address}"><code>${address}</code></a>${
    name === undefined ? "" : html` <span class="muted">${name}</span>`
  }`;
}

/** List of requests with their statuses. */
export function requestsSection(requests: readonly ShownRequest[]): Html {
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
