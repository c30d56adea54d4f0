import type { Context as HonoContext } from "hono";
import { html } from "hono/html";
import {
  type Address,
  formatEther,
  isHash,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from "viem";
import * as z from "zod";
import { unitsToDecimal } from "../../../../src/internal/amounts.ts";
import { evmAddressSchema } from "../../../../src/schema/wire/hex.ts";
import { decodeSvmAddress, isSvmAddress } from "../../../../src/svm/address.ts";
import { svmNativeDecimals } from "../../../../src/svm/constants.ts";
import type { Chain } from "../../../chains/Chain.ts";
import { hasCode } from "../../../chains/rpc.ts";
import type { SvmChain } from "../../../chains/svm/SvmChain.ts";
import { findSvmEntry } from "../../../chains/svm/svmHistory.ts";
import { svmParts } from "../../../chains/svm/svmParts.ts";
import type { Context } from "../../../context/Context.ts";
import { balanceAt, isEvmChain, isSvmChain, type Place, placesOf } from "../../../context/places.ts";
import { explorerPath, rpcUrlOf } from "../../../currencies/currencyId.ts";
import { assetByCurrency } from "../../../perps/exchangeCurrencies.ts";
import type { Exchange } from "../../../perps/openExchange.ts";
import type { RequestRow, Store } from "../../../store/tables.ts";
import { code, type Html, htmlPage, page, requestLink, table } from "../../pages/page.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";

/** A table of names and values. */
type Section = readonly [caption: string, rows: readonly (readonly [name: string, value: unknown])[]];

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
      summary: "A transaction: status, parties and requests, for people",
      params: z.object({ chainId: z.string(), hash: z.string() }),
      handle: ({ http, params: { chainId, hash } }) =>
        answer(http, chainId, async (place) => ({
          // A reorg may have removed the transaction; its requests are still shown.
          requests: await requestsWith(context.store, hash),
          sections: await transactionSections(place, hash, context.store),
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
    ? ([["Kind", (await hasCode(place, address)) ? "contract" : "account without code"]] as const)
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

/** A transaction as its ledger has it; `undefined` for an unknown one. */
async function transactionSections(
  place: Place,
  hash: string,
  store: Store,
): Promise<readonly Section[] | undefined> {
  const rows = isEvmChain(place)
    ? await evmTransaction(place, hash)
    : isSvmChain(place)
      ? await svmTransaction(place, hash, store)
      : await exchangeAction(place, hash, store);
  return rows && [["Transaction", rows]];
}

async function evmTransaction(chain: Chain, hash: string): Promise<Section[1] | undefined> {
  if (!isHash(hash)) return undefined;
  const [transaction, receipt] = await Promise.all([
    chain.client.getTransaction({ hash }).catch(absent(TransactionNotFoundError)),
    chain.client.getTransactionReceipt({ hash }).catch(absent(TransactionReceiptNotFoundError)),
  ]);
  if (transaction === undefined) return undefined;
  const { from, input, nonce, to, value } = transaction;
  return [
    ["Hash", code(hash)],
    ["Status", receipt?.status ?? "pending"],
    ["Block", receipt?.blockNumber.toString() ?? "none yet"],
    ["From", accountLink(chain, from)],
    ["To", to === null ? "a new contract" : accountLink(chain, to)],
    ["Value", `${formatEther(value)} ETH`],
    ["Fee", receipt ? `${formatEther(receipt.gasUsed * receipt.effectiveGasPrice)} ETH` : "none yet"],
    ["Nonce", nonce],
    ["Calldata", code(input.length > longestText ? `${input.slice(0, longestText)}…` : input)],
  ];
}

/** Maximum length of shown calldata, which may have hundreds of kilobytes. */
const longestText = 2_000;

/** Turns one kind of error into `undefined` and rethrows others. */
function absent(kind: new (...args: never[]) => Error) {
  return (error: unknown): undefined => {
    if (!(error instanceof kind)) throw error;
  };
}

async function svmTransaction(
  chain: SvmChain,
  signature: string,
  store: Store,
): Promise<Section[1] | undefined> {
  const entry = await findSvmEntry(store, signature);
  if (entry === undefined) return undefined;
  const { at, isVoid, outcome, slot } = entry;
  const [payer] = outcome.accounts;
  return [
    ["Signature", code(signature)],
    ["Status", isVoid ? "never executed" : (outcome.error ?? "success")],
    ["Slot", slot],
    ["Time", new Date(at).toISOString()],
    ["Fee payer", payer === undefined ? "none" : accountLink(chain, payer.address)],
    ["Fee", `${unitsToDecimal(outcome.fee, svmNativeDecimals)} SOL`],
    ["Logs", outcome.logs.join("; ")],
  ];
}

async function exchangeAction(
  exchange: Exchange,
  hash: string,
  store: Store,
): Promise<Section[1] | undefined> {
  const action = await store
    .selectFrom("exchange_actions")
    .selectAll()
    .where("hash", "=", hash.toLowerCase())
    .executeTakeFirst();
  if (action === undefined) return undefined;
  const { account, amount, at, currency, destination, error, id, nonce } = action;
  // A failed action moved nothing, and may name no currency.
  const asset = assetByCurrency(currency);
  return [
    ["Hash", code(action.hash)],
    ["Status", error ?? "success"],
    ["Height", id],
    ["Time", new Date(Number(at)).toISOString()],
    ["From", accountLink(exchange, account)],
    ["To", code(destination)],
    ["Amount", asset ? `${unitsToDecimal(BigInt(amount), asset.decimals)} ${asset.name}` : "none"],
    ["Nonce", nonce],
  ];
}

function accountLink({ definition }: Place, address: string): Html {
  return html`<a href="${explorerPath}/${definition.id}/address/${address}">${code(address)}</a>`;
}
