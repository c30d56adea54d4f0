import type { ListedCurrency } from "../../src/schema/currencies.ts";
import type { Context } from "../context/Context.ts";
import { searchCurrencies } from "./searchCurrencies.ts";

/** What `/currencies/trending` can sort by, as the service names it. */
export const trendingSorts = ["relay24hBuyTxCount", "relay24hBuyUsdVolume", "coingecko6hTrending"] as const;

/** What is asked for. */
export type TrendingSearch = {
  readonly chainId?: number | undefined;
  readonly limit: number;
  readonly sortBy: (typeof trendingSorts)[number];
};

const dayMs = 24 * 60 * 60 * 1_000;
/** Newest requests that are counted: the endpoint needs no key, and must not read a whole database. */
const mostRequests = 1_000;

/**
 * Currencies by how often, or for how many dollars, filled requests of the last 24 hours bought them; those that nobody bought
 * come last, in the order of the chains. There is no trend of another site to sort by, so that one is the order of the chains.
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
