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
import { explorerPath, rpcUrlOf } from "../../../currencies/currencyId.ts";
import { addressPage } from "../../explorer/addressPage.ts";
import { exchangePages } from "../../explorer/exchangePages.ts";
import {
  explorerPage,
  factsTable,
  type Html,
  type LedgerPages,
  requestsSection,
} from "../../explorer/explorerPage.ts";
import { requestsOf, requestsWith } from "../../explorer/shownRequests.ts";
import { svmPages } from "../../explorer/svmPages.ts";
import { transactionPage } from "../../explorer/transactionPage.ts";
import { contractAddresses } from "../../pages/consolePage.ts";
import { consoleStyle, htmlPage } from "../../pages/htmlPage.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";

const noAddress = "This is no address.";
const page = { description: "A page", mediaType: "text/html" } as const;
const answers = { 200: page, 404: { ...page, description: "A page that says what was not found" } };
const common = { answers, method: "get", tag: "Documents" } as const;
const account = z.object({ address: z.string(), chainId: z.string() });

/** Explorer pages of chains, transactions and accounts. `explorerUrl` of `/chains` points here. */
export function explorerRoutes({ context }: Deps): readonly Route[] {
  const chainOf = (id: string) => context.chains.get(Number(id));
  const showAccount = async ({ http, params }: { http: HonoContext; params: z.output<typeof account> }) => {
    const { address, chainId } = params;
    const ledger = ledgerOf(chainId, context);
    if (ledger === undefined) return accountAnswer(http, chainOf(chainId), address, context);
    return ledgerAnswer(http, ledger, await ledger.account(address), noAddress);
  };
  return [
    defineRoute({
      ...common,
      path: `${explorerPath}/:chainId`,
      operationId: "getExplorer",
      summary: "A chain, for people",
      params: z.object({ chainId: z.string() }),
      handle: async ({ http, params: { chainId } }) => {
        const ledger = ledgerOf(chainId, context);
        if (ledger === undefined) return chainAnswer(http, chainOf(chainId));
        return htmlPage(http, await ledger.home(), consoleStyle);
      },
    }),
    defineRoute({
      ...common,
      path: `${explorerPath}/:chainId/tx/:hash`,
      operationId: "getExplorerTransaction",
      summary: "A transaction: status, call, events and requests, for people",
      params: z.object({ chainId: z.string(), hash: z.string() }),
      handle: async ({ http, params: { chainId, hash } }) => {
        const ledger = ledgerOf(chainId, context);
        if (ledger === undefined) return transactionAnswer(http, chainOf(chainId), hash, context);
        return ledgerAnswer(http, ledger, await ledger.transaction(hash), noTransaction(ledger.chain));
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

/** The pages of the exchange or of the SVM chain. */
function ledgerOf(id: string, { exchange, store, svm }: Context): LedgerPages | undefined {
  if (exchange?.definition.id === Number(id)) return exchangePages(exchange, store);
  return svm?.definition.id === Number(id) ? svmPages(svm, store) : undefined;
}

function noTransaction({ definition }: Pick<Chain, "definition">): string {
  return `${definition.displayName} has no such transaction.`;
}

function chainAnswer(http: HonoContext, chain: Chain | undefined) {
  if (chain === undefined) return missing(http, chain, "There is no such chain.");
  const { definition } = chain;
  const facts = factsTable("Chain", [
    ["Id", definition.id],
    ["Name in orders", definition.name],
    ["Latest block", chain.head().number.toString()],
    ["RPC", html`<code>${rpcUrlOf(chain)}</code>`],
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
  const unknown = noTransaction(chain);
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

/** Answers with a page, or 404 without one. */
function ledgerAnswer(http: HonoContext, { chain }: LedgerPages, shown: Html | undefined, sentence: string) {
  return shown === undefined ? missing(http, chain, sentence) : htmlPage(http, shown, consoleStyle);
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
  if (!isAddress(address, { strict: false })) return missing(http, chain, noAddress);
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
