import { html } from "hono/html";
import { isHash } from "viem";
import { unitsToDecimal } from "../../../src/internal/amounts.ts";
import { evmAddressSchema } from "../../../src/schema/wire/hex.ts";
import { rpcUrlOf } from "../../currencies/currencyId.ts";
import { assetByCurrency } from "../../perps/exchangeCurrencies.ts";
import type { Exchange } from "../../perps/openExchange.ts";
import type { Store } from "../../store/openStore.ts";
import type { ExchangeActionRow } from "../../store/tables.ts";
import {
  addressLink,
  explorerPage,
  factsTable,
  type Html,
  type LedgerPages,
  requestsSection,
} from "./explorerPage.ts";
import { requestsOf, requestsWith } from "./shownRequests.ts";

/** Explorer pages of the exchange. */
export function exchangePages(exchange: Exchange, store: Store): LedgerPages {
  return {
    account: (address) => accountPage(exchange, store, address),
    chain: exchange,
    home: () => homePage(exchange, store),
    transaction: (hash) => actionPage(exchange, store, hash),
  };
}

/** Its API and the number of its actions. */
async function homePage(exchange: Exchange, store: Store): Promise<Html> {
  const { definition } = exchange;
  const { count } = await store
    .selectFrom("exchange_actions")
    .select((row) => row.fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  const facts = factsTable("Exchange", [
    ["Id", definition.id],
    ["Name in orders", definition.name],
    ["Executed actions", Number(count)],
    ["API", html`<code>${rpcUrlOf(exchange)}</code>`],
  ]);
  return explorerPage(definition.displayName, exchange, facts);
}

async function actionPage(exchange: Exchange, store: Store, hash: string): Promise<Html | undefined> {
  if (!isHash(hash)) return undefined;
  const action = await store
    .selectFrom("exchange_actions")
    .selectAll()
    .where("hash", "=", hash.toLowerCase())
    .executeTakeFirst();
  if (action === undefined) return undefined;
  const { account, at, destination, error, id, nonce } = action;
  const facts = factsTable("Action", [
    ["Hash", html`<code>${action.hash}</code>`],
    ["Status", error ?? "success"],
    ["Height", id],
    ["Time", new Date(Number(at)).toISOString()],
    ["From", addressLink(exchange, account)],
    [
      "To",
      evmAddressSchema.safeParse(destination).success ? addressLink(exchange, destination) : destination,
    ],
    ["Amount", amountOf(action)],
    ["Nonce", nonce],
  ]);
  const content = html`${facts}
${requestsSection(await requestsWith(store, hash))}`;
  return explorerPage(`Action on ${exchange.definition.displayName}`, exchange, content);
}

function amountOf({ amount, currency }: ExchangeActionRow): string {
  const asset = assetByCurrency(currency);
  // A failed action moved nothing, and may name no currency.
  return asset === undefined ? "none" : `${unitsToDecimal(BigInt(amount), asset.decimals)} ${asset.name}`;
}

/** Of an address of an EVM chain. */
async function accountPage(exchange: Exchange, store: Store, text: string): Promise<Html | undefined> {
  const { data: address } = evmAddressSchema.safeParse(text);
  if (address === undefined) return undefined;
  const balances: (readonly [string, string])[] = [];
  for (const { address: currency, decimals, name } of exchange.currencies) {
    balances.push([name, unitsToDecimal(await exchange.balanceOf(currency, address), decimals)]);
  }
  const content = html`${factsTable("Account", [["Address", html`<code>${address}</code>`]])}
${factsTable("Balances", balances)}
${requestsSection(await requestsOf(store, address))}`;
  return explorerPage(`Account on ${exchange.definition.displayName}`, exchange, content);
}
