import type { ListedCurrency } from "../../src/schema/chain/currencies.ts";
import type { Context } from "../context/Context.ts";
import { searchCurrencies } from "./searchCurrencies.ts";

/** Sort orders of `/currencies/trending`, by the service's names. */
export const trendingSorts = ["relay24hBuyTxCount", "relay24hBuyUsdVolume", "coingecko6hTrending"] as const;

/** Conditions of the list. */
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
  { chains, now, store }: Pick<Context, "chains" | "now" | "store">,
): Promise<readonly ListedCurrency[]> {
  const chainIds = chainId === undefined ? undefined : [chainId];
  const listed = searchCurrencies(chains.values(), { chainIds, limit: Number.MAX_SAFE_INTEGER });
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
    const key = `${destination_chain_id}:${currency_out}`;
    const weight = sortBy === "relay24hBuyTxCount" ? 1 : Number(amount_usd);
    scores.set(key, (scores.get(key) ?? 0) + weight);
  }
  const scoreOf = ({ address, chainId: id }: ListedCurrency) => scores.get(`${id}:${address}`) ?? 0;
  return listed.toSorted((a, b) => scoreOf(b) - scoreOf(a)).slice(0, limit);
}
