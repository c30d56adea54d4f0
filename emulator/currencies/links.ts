import type { Chain, LocalCurrency } from "../chains/Chain.ts";
import { svmRpcPath } from "../chains/svm/SvmChain.ts";
import { isEvmChain, isSvmChain, type Place } from "../context/places.ts";
import { exchangePath } from "../perps/openExchange.ts";

/** Paths of images and explorer pages. */
export const chainImagePath = "/images/chains";
export const currencyImagePath = "/images/currencies";
export const explorerPath = "/explorer";

type Linked = Pick<Chain, "definition" | "siteUrl">;

/** URL of a chain's image. */
export function chainImageUrl({ definition, siteUrl }: Linked): string {
  return `${siteUrl?.() ?? ""}${chainImagePath}/${definition.id}`;
}

/** URL of a currency's image. */
export function currencyImageUrl({ siteUrl }: Linked, { symbol }: Pick<LocalCurrency, "symbol">): string {
  return `${siteUrl?.() ?? ""}${currencyImagePath}/${symbol.toLowerCase()}`;
}

/** URL of a chain's explorer; clients append `/tx/…`, `/address/…` or `/token/…`. */
export function explorerUrl({ definition, siteUrl }: Linked): string {
  return `${siteUrl?.() ?? ""}${explorerPath}/${definition.id}`;
}

/** URL of a chain's JSON-RPC, or of the exchange's API. */
export function rpcUrlOf(place: Place): string {
  if (isEvmChain(place)) return place.rpcUrl;
  return `${place.siteUrl?.() ?? ""}${isSvmChain(place) ? svmRpcPath : exchangePath}`;
}
