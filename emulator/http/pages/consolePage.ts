import { html, raw } from "hono/html";
import type { Address } from "viem";
import { unitsToDecimal } from "../../../src/internal/amounts.ts";
import type { Chain } from "../../chains/Chain.ts";
import { isEvmChain, isSvmChain, type Place } from "../../context/places.ts";
import { currencyText } from "../../currencies/amountObject.ts";
import { explorerPath, rpcUrlOf } from "../../currencies/currencyId.ts";
import { parseIntent } from "../../requests/Intent.ts";
import type { RequestRow } from "../../store/tables.ts";
import { consoleStyle } from "./htmlPage.ts";

/** Path of the console. */
export const consolePath = "/console";

const refreshSeconds = 5;

type Html = ReturnType<typeof html>;

type ConsolePageParameters = {
  readonly chains: readonly Place[];
  /** Newest first. */
  readonly requests: readonly RequestRow[];
  /** Unix milliseconds. */
  readonly now: number;
  /** Whether the page reloads itself every few seconds. */
  readonly isRefreshed: boolean;
};

/** The console as one self-contained document. The template escapes every value. */
export function consolePage({ chains, isRefreshed, now, requests }: ConsolePageParameters): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${isRefreshed ? html`<meta http-equiv="refresh" content="${refreshSeconds}">` : ""}
<title>Waybill emulator</title>
<link rel="icon" href="data:,">
<style>${raw(consoleStyle)}</style>
</head>
<body>
<header>
<h1>Waybill emulator</h1>
<p>${refreshLine(isRefreshed)}</p>
<p><a href="/docs">Reference of the API</a></p>
</header>
<main>
<h2>Requests</h2>
${requestsTable(requests, chains, now)}
<h2>Chains</h2>
${chains.map(chainSection)}
</main>
</body>
</html>`;
}

/** Readers must be able to stop the reload, for example with a screen reader (WCAG 2.2.2). */
function refreshLine(isRefreshed: boolean): Html {
  if (!isRefreshed) return html`This page stays as it is. <a href="?">Keep it up to date</a>`;
  return html`This page loads again every ${refreshSeconds} seconds. <a href="?refresh=off">Stop that</a>`;
}

function requestsTable(requests: readonly RequestRow[], chains: readonly Place[], now: number): Html {
  if (requests.length === 0) return html`<p class="muted">There are none yet: ask for a quote.</p>`;
  return html`<div class="scroll" role="region" aria-label="Requests" tabindex="0">
<table>
<caption>The latest ${requests.length}, newest first</caption>
<thead><tr><th scope="col">Request</th><th scope="col">Status</th><th scope="col">Pays</th><th scope="col">Gets</th>
<th scope="col">Age</th></tr></thead>
<tbody>
${requests.map((request) => requestRow(request, chains, now))}
</tbody>
</table>
</div>`;
}

function requestRow(request: RequestRow, chains: readonly Place[], now: number): Html {
  const { created_at, fail_reason, id, intent, status } = request;
  const { destination, origin } = parseIntent(intent);
  return html`<tr>
<th scope="row"><a href="/intents/status/v3?requestId=${encodeURIComponent(id)}"><code>${id}</code></a></th>
<td>${status}${fail_reason === null ? "" : html` <span class="muted">${fail_reason}</span>`}</td>
<td>${amountText(origin, chains)}</td>
<td>${amountText(destination, chains)}</td>
<td><time datetime="${new Date(created_at).toISOString()}">${ageText(now - created_at)}</time></td>
</tr>`;
}

function chainSection(place: Place): Html {
  const { currencies, definition } = place;
  const { displayName, id, name } = definition;
  return html`<section aria-labelledby="chain-${id}">
<h3 id="chain-${id}">${displayName}</h3>
<p>Chain ${id}, <code>${name}</code> in orders, ${isEvmChain(place) || isSvmChain(place) ? "RPC" : "API"} at
<code>${rpcUrlOf(place)}</code>, <a href="${explorerPath}/${id}">explorer of ${displayName}</a></p>
${isEvmChain(place) ? contractsTable(place) : ""}
<table>
<caption>Currencies of ${displayName}</caption>
<thead><tr><th scope="col">Symbol</th><th scope="col">Name</th><th scope="col">Decimals</th><th scope="col">Address</th></tr></thead>
<tbody>
${currencies.map(
  (
    currency,
  ) => html`<tr><th scope="row">${currency.symbol}</th><td>${currency.name}</td><td>${currency.decimals}</td>
<td><code>${isEvmChain(place) ? currency.address : currencyText(place, currency)}</code></td></tr>`,
)}
</tbody>
</table>
</section>`;
}

/** The exchange and the SVM chain have no contracts of the service. */
function contractsTable({ contracts, definition: { displayName } }: Chain): Html {
  return html`<table>
<caption>Contracts of ${displayName}</caption>
<thead><tr><th scope="col">Contract</th><th scope="col">Address</th></tr></thead>
<tbody>
${contractAddresses(contracts).map(
  ([contract, address]) => html`<tr><th scope="row">${contract}</th><td><code>${address}</code></td></tr>`,
)}
</tbody>
</table>`;
}

type Side = { readonly chainId: number; readonly currency: Address; readonly amount: bigint };

function amountText({ amount, chainId, currency }: Side, chains: readonly Place[]): string {
  const chain = chains.find(({ definition }) => definition.id === chainId);
  const known = chain?.currencies.find(({ address }) => address.toLowerCase() === currency.toLowerCase());
  if (chain === undefined || known === undefined) return `${amount} of ${currency} on chain ${chainId}`;
  return `${unitsToDecimal(amount, known.decimals)} ${known.symbol} on ${chain.definition.displayName}`;
}

/** Age in its largest whole unit. */
function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** Contract addresses by dotted name, as nested in the start-up document, such as `v3.erc20Router`. */
export function contractAddresses(
  contracts: object,
  prefix = "",
): readonly (readonly [name: string, address: string])[] {
  return Object.entries(contracts).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? contractAddresses(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, String(value)] as const],
  );
}
