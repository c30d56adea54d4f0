import { html } from "hono/html";
import { isHash } from "viem";
import { unitsToDecimal } from "../../../src/internal/amounts.ts";
import { evmAddressSchema } from "../../../src/schema/wire/hex.ts";
import { assetByCurrency } from "../../perps/exchangeCurrencies.ts";
import type { Exchange } from "../../perps/openExchange.ts";
import type { Store } from "../../store/openStore.ts";
import type { ExchangeActionRow, RequestRow } from "../../store/tables.ts";
import { addressLink, explorerPage, factsTable, type Html, requestsSection } from "./explorerPage.ts";

type Requests = readonly Pick<RequestRow, "id" | "status">[];

/** Page of the exchange: its API and the number of its actions. */
export async function exchangePage(exchange: Exchange, store: Store, apiUrl: string): Promise<Html> {
  const { definition } = exchange;
  const { count } = await store
    .selectFrom("exchange_actions")
    .select((row) => row.fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  const facts = factsTable("Exchange", [
    ["Id", definition.id],
    ["Name in orders", definition.name],
    ["Executed actions", Number(count)],
    ["API", html`<code>${apiUrl}</code>`],
  ]);
  return explorerPage(definition.displayName, exchange, facts);
}

/** Page of an executed action; `undefined` if the exchange has none with this hash. */
export async function actionPage(
  exchange: Exchange,
  store: Store,
  hash: string,
  requests: Requests,
): Promise<Html | undefined> {
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
${requestsSection(requests)}`;
  return explorerPage(`Action on ${exchange.definition.displayName}`, exchange, content);
}

function amountOf({ amount, currency }: ExchangeActionRow): string {
  const asset = assetByCurrency(currency);
  // A failed action moved nothing, and may name no currency.
  return asset === undefined ? "none" : `${unitsToDecimal(BigInt(amount), asset.decimals)} ${asset.name}`;
}

/** Page of an account of the exchange; `undefined` for another form of address. */
export async function exchangeAccountPage(
  exchange: Exchange,
  text: string,
  requestsOf: (address: string) => Promise<Requests>,
): Promise<Html | undefined> {
  const { data: address } = evmAddressSchema.safeParse(text);
  if (address === undefined) return undefined;
  const balances: (readonly [string, string])[] = [];
  for (const { address: currency, decimals, name } of exchange.currencies) {
    balances.push([name, unitsToDecimal(await exchange.balanceOf(currency, address), decimals)]);
  }
  const content = html`${factsTable("Account", [["Address", html`<code>${address}</code>`]])}
${factsTable("Balances", balances)}
${requestsSection(await requestsOf(address))}`;
  return explorerPage(`Account on ${exchange.definition.displayName}`, exchange, content);
}
