import { html } from "hono/html";
import { unitsToDecimal } from "../../../src/internal/amounts.ts";
import type { RecordAmount } from "../../../src/schema/record/recordAmount.ts";
import { storedAccount } from "../../chains/accountText.ts";
import { isEvmChain, isSvmChain, type Place } from "../../context/places.ts";
import { currencyText, explorerPath, rpcUrlOf } from "../../currencies/currencyId.ts";
import { parseIntent } from "../../requests/Intent.ts";
import type { RequestParts } from "../../requests/record/RequestParts.ts";
import { delivered, paid, refunded } from "../../requests/record/recordAmounts.ts";
import { code, type Html, page, requestLink, table } from "./page.ts";

const refreshSeconds = 5;

type ConsolePageParameters = {
  readonly chains: readonly Place[];
  /** Newest first. */
  readonly requests: readonly RequestParts[];
  /** Unix milliseconds. */
  readonly now: number;
  /** Whether the page reloads itself every few seconds. */
  readonly isRefreshed: boolean;
};

/** The console: the latest requests, and the chains with their contracts and currencies. */
export function consolePage({ chains, isRefreshed, now, requests }: ConsolePageParameters): Html {
  return page({
    content: html`<h2>Requests</h2>
${requestsTable(requests, chains, now)}
<h2>Chains</h2>
${chains.map(chainSection)}`,
    head: isRefreshed ? html`<meta http-equiv="refresh" content="${refreshSeconds}">` : "",
    header: html`<header>
<h1>Waybill emulator</h1>
<p>${refreshLine(isRefreshed)}</p>
<p><a href="/docs">Reference of the API</a></p>
</header>`,
    title: "Waybill emulator",
  });
}

/** Readers must be able to stop the reload, for example with a screen reader (WCAG 2.2.2). */
function refreshLine(isRefreshed: boolean): Html {
  if (!isRefreshed) return html`This page stays as it is. <a href="?">Keep it up to date</a>`;
  return html`This page loads again every ${refreshSeconds} seconds. <a href="?refresh=off">Stop that</a>`;
}

function requestsTable(requests: readonly RequestParts[], chains: readonly Place[], now: number): Html {
  if (requests.length === 0) return html`<p class="muted">There are none yet: ask for a quote.</p>`;
  const rows = requests.map((parts) => {
    const { created_at, fail_reason, id, intent, status } = parts.request;
    const { destination, origin } = parseIntent(intent);
    return [
      requestLink(id),
      html`${status}${fail_reason === null ? "" : html` <span class="muted">${fail_reason}</span>`}`,
      movedText(paid(parts), chains) ?? `${amountText(origin, chains)}, quoted`,
      outcomeText(parts, chains) ?? `${amountText(destination, chains)}, quoted`,
      html`<time datetime="${new Date(created_at).toISOString()}">${ageText(now - created_at)}</time>`,
    ];
  });
  const columns = ["Request", "Status", "Pays", "Gets", "Age"];
  return table(`The latest ${requests.length}, newest first`, rows, columns);
}

/** What the request came to: the delivered or the refunded amount. Undefined while it is open. */
function outcomeText(parts: RequestParts, chains: readonly Place[]): string | undefined {
  const { status } = parts.request;
  if (status === "success") return movedText(delivered(parts), chains);
  if (status === "failure") return "nothing";
  return status === "refund" ? `${movedText(refunded(parts), chains) ?? "the payment"}, refunded` : undefined;
}

function movedText(moved: RecordAmount | undefined, chains: readonly Place[]): string | undefined {
  const { address, chainId } = moved?.currency ?? {};
  if (moved?.amount === undefined || address === undefined || chainId === undefined) return undefined;
  return amountText({ amount: BigInt(moved.amount), chainId, currency: storedAccount(address) }, chains);
}

function chainSection(place: Place): Html {
  const { currencies, definition } = place;
  const { displayName, id, name } = definition;
  const rows = currencies.map((currency) => [
    currency.symbol,
    currency.name,
    currency.decimals,
    code(isEvmChain(place) ? currency.address : currencyText(place, currency)),
  ]);
  return html`<section aria-labelledby="chain-${id}">
<h3 id="chain-${id}">${displayName}</h3>
<p>Chain ${id}, <code>${name}</code> in orders, ${isEvmChain(place) || isSvmChain(place) ? "RPC" : "API"} at
<code>${rpcUrlOf(place)}</code>, <a href="${explorerPath}/${id}">explorer of ${displayName}</a></p>
${isEvmChain(place) ? table(`Contracts of ${displayName}`, contractRows(place.contracts), ["Contract", "Address"]) : ""}
${table(`Currencies of ${displayName}`, rows, ["Symbol", "Name", "Decimals", "Address"])}
</section>`;
}

function contractRows(contracts: object) {
  return contractAddresses(contracts).map(([contract, address]) => [contract, code(address)]);
}

type Side = { readonly chainId: number; readonly currency: string; readonly amount: bigint };

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
function contractAddresses(
  contracts: object,
  prefix = "",
): readonly (readonly [name: string, address: string])[] {
  return Object.entries(contracts).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? contractAddresses(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, String(value)] as const],
  );
}
