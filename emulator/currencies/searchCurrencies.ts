import type * as z from "zod";
import type {
  CurrenciesV1,
  currenciesRequestSchema,
  ListedCurrency,
} from "../../src/schema/chain/currencies.ts";
import { accountText, storedAccount } from "../chains/accountText.ts";
import type { LocalCurrency } from "../chains/Chain.ts";
import type { Context } from "../context/Context.ts";
import { type Place, placesOf, vmTypeOf } from "../context/places.ts";
import { currencyIdOf, currencyObject } from "./currencyId.ts";

type CurrencySearch = z.output<typeof currenciesRequestSchema>;

type IsTaken = (chain: Place, currency: LocalCurrency) => boolean;

type Entry = { readonly id: string; readonly listed: ListedCurrency };

/** Finds currencies that match all conditions, chain by chain. All are verified and on the default list. */
export function searchCurrencies(
  chains: Iterable<Place>,
  search: CurrencySearch,
  isTaken: IsTaken = () => true,
): readonly ListedCurrency[] {
  return find(chains, search, isTaken)
    .slice(0, search.limit)
    .map(({ listed }) => listed);
}

/** Groups the result of a search by currency; the limit counts groups. */
export function searchCurrencyGroups(
  chains: Iterable<Place>,
  search: CurrencySearch,
  isTaken: IsTaken = () => true,
): CurrenciesV1 {
  const groups = Map.groupBy(find(chains, search, isTaken), ({ id }) => id);
  return [...groups]
    .slice(0, search.limit)
    .map(([groupID, entries]) => entries.map(({ listed }) => ({ groupID, ...listed })));
}

function find(chains: Iterable<Place>, search: CurrencySearch, isTaken: IsTaken): readonly Entry[] {
  const entries = [...chains].flatMap((chain) => entriesOf(chain, search, isTaken));
  const found = entries.filter((entry) => matches(entry, search));
  if (search.includeAllChains !== true) return found;
  const ids = new Set(found.map(({ id }) => id));
  return entries.filter(({ id }) => ids.has(id));
}

function entriesOf(chain: Place, { depositAddressOnly }: CurrencySearch, isTaken: IsTaken): readonly Entry[] {
  const listed = chain.currencies.filter((each) => depositAddressOnly !== true || isTaken(chain, each));
  return listed.map((currency) => ({
    id: currencyIdOf(currency),
    listed: { ...currencyObject(chain, currency), vmType: vmTypeOf(chain) },
  }));
}

function matches({ id, listed }: Entry, search: CurrencySearch): boolean {
  const { address, chainIds, currencyId, term, tokens } = search;
  const wants = (wanted: string) => storedAccount(wanted) === storedAccount(listed.address);
  const words = [listed.name, listed.symbol, listed.address].map((word) => word.toLowerCase());
  return (
    (chainIds === undefined || chainIds.includes(listed.chainId)) &&
    (address === undefined || wants(address)) &&
    (currencyId === undefined || currencyId.toLowerCase() === id) &&
    (tokens === undefined || tokens.some((token) => isToken(token, listed.chainId, wants))) &&
    (term === undefined || words.some((word) => word.includes(term.toLowerCase())))
  );
}

/** Whether a token, as `chainId:address`, is on a chain and wanted there. */
function isToken(token: string, chainId: number, wants: (address: string) => boolean): boolean {
  const [chain, address = ""] = token.split(":");
  return Number(chain) === chainId && wants(address);
}

/** Sort orders of `/currencies/trending`, by the service's names. */
export const trendingSorts = ["relay24hBuyTxCount", "relay24hBuyUsdVolume", "coingecko6hTrending"] as const;

type TrendingSearch = {
  readonly chainId?: number | undefined;
  readonly limit: number;
  readonly sortBy: (typeof trendingSorts)[number];
};

const dayMs = 24 * 60 * 60 * 1_000;
/** Maximum requests counted, newest first: a public endpoint must not read the whole database. */
const mostRequests = 1_000;

/**
 * Ranks currencies by number or dollar volume of fills in the last 24 hours. Currencies without fills come last, in the order
 * of the chains. The sort order of an external site's trend has no data here and is the order of the chains.
 */
export async function trendingCurrencies(
  { chainId, limit, sortBy }: TrendingSearch,
  context: Pick<Context, "chains" | "exchange" | "now" | "store">,
): Promise<readonly ListedCurrency[]> {
  const { now, store } = context;
  const chainIds = chainId === undefined ? undefined : [chainId];
  const listed = searchCurrencies(placesOf(context).values(), { chainIds, limit: Number.MAX_SAFE_INTEGER });
  if (sortBy === "coingecko6hTrending") return listed.slice(0, limit);
  const bought = await store
    .selectFrom("requests")
    .select(["amount_usd", "currency_out", "destination_chain_id"])
    .where("status", "=", "success")
    .where("created_at", ">=", now() - dayMs)
    .orderBy("created_at", "desc")
    .limit(mostRequests)
    .execute();
  const scores = new Map<string, number>();
  for (const { amount_usd, currency_out, destination_chain_id } of bought) {
    const key = `${destination_chain_id}:${accountText(currency_out)}`;
    const weight = sortBy === "relay24hBuyTxCount" ? 1 : Number(amount_usd);
    scores.set(key, (scores.get(key) ?? 0) + weight);
  }
  const scoreOf = ({ address, chainId: id }: ListedCurrency) => scores.get(`${id}:${address}`) ?? 0;
  return listed.toSorted((a, b) => scoreOf(b) - scoreOf(a)).slice(0, limit);
}
