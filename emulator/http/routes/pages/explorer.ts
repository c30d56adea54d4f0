import type { Context as HonoContext } from "hono";
import { html } from "hono/html";
import type { Address } from "viem";
import * as z from "zod";
import { unitsToDecimal } from "../../../../src/internal/amounts.ts";
import { evmAddressSchema } from "../../../../src/schema/wire/hex.ts";
import { decodeSvmAddress, isSvmAddress } from "../../../../src/svm/address.ts";
import { hasCode } from "../../../chains/balanceOf.ts";
import { svmParts } from "../../../chains/svm/svmParts.ts";
import type { Context } from "../../../context/Context.ts";
import { balanceAt, isEvmChain, isSvmChain, type Place, placesOf } from "../../../context/places.ts";
import { explorerPath, rpcUrlOf } from "../../../currencies/currencyId.ts";
import type { RequestRow, Store } from "../../../store/tables.ts";

import { code, type Html, htmlPage, page, requestLink, table } from "../../pages/page.ts";
import { evmName, type Section, transactionSections } from "../../pages/transactionSections.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";

/** What a page shows: nothing was found without sections. */
type Shown = {
  readonly title: string;
  readonly sections: readonly Section[] | undefined;
  readonly requests?: readonly ShownRequest[];
};

const document = { description: "A page", mediaType: "text/html" } as const;
const common = {
  answers: { 200: document, 404: { ...document, description: "A page that says what was not found" } },
  method: "get",
  tag: "Documents",
} as const;
const account = z.object({ address: z.string(), chainId: z.string() });

/** Explorer pages of chains, transactions and accounts. `explorerUrl` of `/chains` points here. */
export function explorerRoutes({ context }: Deps): readonly Route[] {
  const places = placesOf(context);
  const answer = async (http: HonoContext, chainId: string, show: (place: Place) => Promise<Shown>) => {
    const place = places.get(Number(chainId));
    const shown = place && (await show(place));
    if (shown?.sections === undefined) http.status(404);
    return htmlPage(http, explorerPage(place, shown));
  };
  return [
    defineRoute({
      ...common,
      path: `${explorerPath}/:chainId`,
      operationId: "getExplorer",
      summary: "A chain, for people",
      params: z.object({ chainId: z.string() }),
      handle: ({ http, params: { chainId } }) =>
        answer(http, chainId, async (place) => ({
          sections: [await homeSection(place, context.store)],
          title: place.definition.displayName,
        })),
    }),
    defineRoute({
      ...common,
      path: `${explorerPath}/:chainId/tx/:hash`,
      operationId: "getExplorerTransaction",
      summary: "A transaction: status, call, events and requests, for people",
      params: z.object({ chainId: z.string(), hash: z.string() }),
      handle: ({ http, params: { chainId, hash } }) =>
        answer(http, chainId, async (place) => ({
          // A reorg may have removed the transaction; its requests are still shown.
          requests: await requestsWith(context.store, hash),
          sections: await transactionSections(place, hash, context),
          title: `Transaction on ${place.definition.displayName}`,
        })),
    }),
    ...(["address", "token"] as const).map((kind) =>
      defineRoute({
        ...common,
        path: `${explorerPath}/:chainId/${kind}/:address`,
        operationId: kind === "address" ? "getExplorerAddress" : "getExplorerToken",
        summary:
          kind === "address"
            ? "An account: balances and requests, for people"
            : "The account of a token, for people",
        params: account,
        handle: ({ http, params: { address, chainId } }) =>
          answer(http, chainId, (place) => showAccount(place, address, context)),
      }),
    ),
  ];
}

function explorerPage(place: Place | undefined, shown: Shown | undefined): Html {
  const { requests, sections, title = "" } = shown ?? {};
  const heading = sections === undefined ? "Not found" : title;
  const missing =
    place === undefined ? "There is no such chain." : `${place.definition.displayName} has no such page.`;
  const link =
    place && html`, <a href="${explorerPath}/${place.definition.id}">${place.definition.displayName}</a>`;
  return page({
    content: html`<h1>${heading}</h1>
${sections === undefined ? html`<p>${missing}</p>` : sections.map(([caption, rows]) => table(caption, rows))}
${requests === undefined ? "" : requestsSection(requests)}`,
    header: html`<header>
<p><a href="/console">Waybill emulator</a>${link}</p>
</header>`,
    title: heading,
  });
}

function requestsSection(requests: readonly ShownRequest[]): Html {
  if (requests.length === 0) return html`<p class="muted">There are no requests.</p>`;
  return html`<h2>Requests</h2>
<ul>${requests.map(({ id, status }) => html`<li>${requestLink(id)} ${status}</li>`)}</ul>`;
}

async function homeSection(place: Place, store: Store): Promise<Section> {
  const { id, name } = place.definition;
  return [
    "Chain",
    [
      ["Id", id],
      ["Name in orders", name],
      ["Height", await heightOf(place, store)],
      [isEvmChain(place) || isSvmChain(place) ? "RPC" : "API", code(rpcUrlOf(place))],
    ],
  ];
}

/** The newest block or slot, or the number of actions of the exchange. */
async function heightOf(place: Place, store: Store): Promise<string> {
  if (isEvmChain(place)) return place.head().number.toString();
  if (isSvmChain(place)) return (await svmParts(place).ledger.head()).slot.toString();
  const { count } = await store
    .selectFrom("exchange_actions")
    .select((row) => row.fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return String(count);
}

async function showAccount(place: Place, text: string, context: Context): Promise<Shown> {
  const title = `Account on ${place.definition.displayName}`;
  const address = accountOn(place, text);
  if (address === undefined) return { sections: undefined, title };
  const balances = await Promise.all(
    place.currencies.map(async ({ address: currency, decimals, name, symbol }) => {
      const shown = isEvmChain(place) || isSvmChain(place) ? symbol : name;
      return [shown, unitsToDecimal(await balanceAt(place, currency, address), decimals)] as const;
    }),
  );
  const kind = isEvmChain(place)
    ? ([
        ["Name", evmName(place, address, context.accounts) ?? "none"],
        ["Kind", (await hasCode(place, address)) ? "contract" : "account without code"],
      ] as const)
    : [];
  return {
    requests: await requestsOf(context.store, address),
    sections: [
      ["Account", [["Address", code(text)], ...kind]],
      ["Balances", balances],
    ],
    title,
  };
}

/** An account in its stored form. Tokens of the SVM chain belong to their wallet, whichever account holds them. */
function accountOn(place: Place, text: string): Address | undefined {
  if (!isSvmChain(place)) return evmAddressSchema.safeParse(text).data;
  return isSvmAddress({ address: text }) ? decodeSvmAddress({ address: text }) : undefined;
}

type ShownRequest = Pick<RequestRow, "id" | "status">;

const mostRequests = 20;

/** Requests with a transaction, oldest first. Hexadecimal hashes are found in any letter case. */
function requestsWith(store: Store, hash: string): Promise<readonly ShownRequest[]> {
  const wanted = hash.startsWith("0x") ? hash.toLowerCase() : hash;
  return store
    .selectFrom("requests")
    .select(["id", "status"])
    .where("id", "in", (query) =>
      query.selectFrom("request_hashes").select("request_id").where("hash", "=", wanted),
    )
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** The newest requests of a user or recipient, by its stored address. */
function requestsOf(store: Store, address: string): Promise<readonly ShownRequest[]> {
  const wanted = address.toLowerCase();
  return store
    .selectFrom("requests")
    .select(["id", "status"])
    .where((is) => is.or([is("user", "=", wanted), is("recipient", "=", wanted)]))
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(mostRequests)
    .execute();
}
