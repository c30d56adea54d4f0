import type { Context as HonoContext } from "hono";
import { html } from "hono/html";
import {
  type Address,
  type Hex,
  isAddress,
  isAddressEqual,
  isHash,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from "viem";
import * as z from "zod";
import { balanceOf, hasCode } from "../../../chains/balanceOf.ts";
import type { Chain } from "../../../chains/Chain.ts";
import type { Context } from "../../../context/Context.ts";
import { explorerPath } from "../../../currencies/links.ts";
import { type Exchange, exchangePath } from "../../../perps/openExchange.ts";
import { addressPage } from "../../explorer/addressPage.ts";
import { actionPage, exchangeAccountPage, exchangePage } from "../../explorer/exchangePages.ts";
import { explorerPage, factsTable, type Html, requestsSection } from "../../explorer/explorerPage.ts";
import { transactionPage } from "../../explorer/transactionPage.ts";
import { contractAddresses } from "../../pages/consolePage.ts";
import { consoleStyle, htmlPage } from "../../pages/htmlPage.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";

const requestCount = 20;
const page = { description: "A page", mediaType: "text/html" } as const;
const answers = { 200: page, 404: { ...page, description: "A page that says what was not found" } };
const common = { answers, method: "get", tag: "Documents" } as const;
const account = z.object({ address: z.string(), chainId: z.string() });

/** Explorer pages of chains, transactions and accounts. `explorerUrl` of `/chains` points here. */
export function explorerRoutes({ context }: Deps): readonly Route[] {
  const chainOf = (id: string) => context.chains.get(Number(id));
  const exchangeOf = (id: string) =>
    Number(id) === context.exchange?.definition.id ? context.exchange : undefined;
  const showAccount = async ({ http, params }: { http: HonoContext; params: z.output<typeof account> }) => {
    const { address, chainId } = params;
    const exchange = exchangeOf(chainId);
    if (exchange === undefined) return accountAnswer(http, chainOf(chainId), address, context);
    const shown = await exchangeAccountPage(exchange, address, (known) => requestsOf(context.store, known));
    return exchangeAnswer(http, exchange, shown, "This is no address.");
  };
  return [
    defineRoute({
      ...common,
      path: `${explorerPath}/:chainId`,
      operationId: "getExplorer",
      summary: "A chain, for people",
      params: z.object({ chainId: z.string() }),
      handle: async ({ http, params: { chainId } }) => {
        const exchange = exchangeOf(chainId);
        if (exchange === undefined) return chainAnswer(http, chainOf(chainId));
        const api = `${exchange.siteUrl?.() ?? ""}${exchangePath}`;
        return exchangeAnswer(http, exchange, await exchangePage(exchange, context.store, api), "");
      },
    }),
    defineRoute({
      ...common,
      path: `${explorerPath}/:chainId/tx/:hash`,
      operationId: "getExplorerTransaction",
      summary: "A transaction: status, call, events and requests, for people",
      params: z.object({ chainId: z.string(), hash: z.string() }),
      handle: async ({ http, params: { chainId, hash } }) => {
        const exchange = exchangeOf(chainId);
        if (exchange === undefined) return transactionAnswer(http, chainOf(chainId), hash, context);
        const { store } = context;
        const shown = await actionPage(exchange, store, hash, await requestsWith(store, hash));
        return exchangeAnswer(http, exchange, shown, "The exchange has no such action.");
      },
    }),
    defineRoute({
      ...common,
      path: `${explorerPath}/:chainId/address/:address`,
      operationId: "getExplorerAddress",
      summary: "An account: balances and requests, for people",
      params: account,
      handle: showAccount,
    }),
    defineRoute({
      ...common,
      path: `${explorerPath}/:chainId/token/:address`,
      operationId: "getExplorerToken",
      summary: "The account of a token, for people",
      params: account,
      handle: showAccount,
    }),
  ];
}

function chainAnswer(http: HonoContext, chain: Chain | undefined) {
  if (chain === undefined) return missing(http, chain, "There is no such chain.");
  const { definition, rpcUrl } = chain;
  const facts = factsTable("Chain", [
    ["Id", definition.id],
    ["Name in orders", definition.name],
    ["Latest block", chain.head().number.toString()],
    ["RPC", html`<code>${rpcUrl}</code>`],
  ]);
  return htmlPage(http, explorerPage(definition.displayName, chain, facts), consoleStyle);
}

async function transactionAnswer(
  http: HonoContext,
  chain: Chain | undefined,
  hash: string,
  { accounts, store }: Context,
) {
  if (chain === undefined) return missing(http, chain, "There is no such chain.");
  const unknown = `${chain.definition.displayName} has no such transaction.`;
  if (!isHash(hash)) return missing(http, chain, unknown);
  const requests = await requestsWith(store, hash);
  const found = await readTransaction(chain, hash);
  // A reorg may have removed the transaction; its requests are still shown.
  if (found === undefined) return missing(http, chain, unknown, requestsSection(requests));
  return htmlPage(
    http,
    transactionPage({ ...found, chain, nameOf: nameAddress(chain, accounts), requests }),
    consoleStyle,
  );
}

/** Requests with a transaction. */
function requestsWith(store: Context["store"], hash: string) {
  return store
    .selectFrom("requests")
    .select(["id", "status"])
    .where("id", "in", (query) =>
      query.selectFrom("request_hashes").select("request_id").where("hash", "=", hash.toLowerCase()),
    )
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Answers with a page of the exchange, or 404 without one. */
function exchangeAnswer(http: HonoContext, exchange: Exchange, shown: Html | undefined, sentence: string) {
  return shown === undefined ? missing(http, exchange, sentence) : htmlPage(http, shown, consoleStyle);
}

async function readTransaction({ client }: Chain, hash: Hex) {
  const [transaction, receipt] = await Promise.all([
    client.getTransaction({ hash }).catch(absent(TransactionNotFoundError)),
    client.getTransactionReceipt({ hash }).catch(absent(TransactionReceiptNotFoundError)),
  ]);
  return transaction && { receipt, transaction };
}

/** Turns one kind of error into `undefined` and rethrows others. */
function absent(kind: new (...args: never[]) => Error) {
  return (error: unknown): undefined => {
    if (!(error instanceof kind)) throw error;
  };
}

async function accountAnswer(
  http: HonoContext,
  chain: Chain | undefined,
  address: string,
  { accounts, store }: Context,
) {
  if (chain === undefined) return missing(http, chain, "There is no such chain.");
  if (!isAddress(address, { strict: false })) return missing(http, chain, "This is no address.");
  const [isContract, balances, requests] = await Promise.all([
    hasCode(chain, address),
    Promise.all(
      chain.currencies.map(async (currency) => ({
        amount: await balanceOf(chain, currency.address, address),
        currency,
      })),
    ),
    requestsOf(store, address),
  ]);
  const name = nameAddress(chain, accounts)(address);
  return htmlPage(http, addressPage({ address, balances, chain, isContract, name, requests }), consoleStyle);
}

function requestsOf(store: Context["store"], address: string) {
  const wanted = address.toLowerCase();
  return store
    .selectFrom("requests")
    .select(["id", "status"])
    .where((is) => is.or([is("user", "=", wanted), is("recipient", "=", wanted)]))
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(requestCount)
    .execute();
}

function missing(
  http: HonoContext,
  chain: Pick<Chain, "definition"> | undefined,
  sentence: string,
  more: Html | string = "",
) {
  http.status(404);
  return htmlPage(
    http,
    explorerPage(
      "Not found",
      chain,
      html`<p>${sentence}</p>
${more}`,
    ),
    consoleStyle,
  );
}

/** Names the service's addresses: contracts, tokens, pools and the solver. */
function nameAddress(
  { contracts, currencies, swap }: Chain,
  { solver }: Context["accounts"],
): (address: Address) => string | undefined {
  const pairs = swap.pairs.map(({ address }) => ["pool", address] as const);
  const names = [
    ...contractAddresses(contracts),
    ...currencies.map(({ address, symbol }) => [symbol, address] as const),
    ...pairs,
    ["solver", solver.account.address] as const,
  ];
  return (address) => names.find(([, known]) => isAddressEqual(known as Address, address))?.[0];
}
