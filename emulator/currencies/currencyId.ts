import { storedAccount } from "../chains/accountText.ts";
import type { Chain, LocalCurrency } from "../chains/Chain.ts";
import { svmRpcPath } from "../chains/svm/SvmChain.ts";
import { isEvmChain, isSvmChain, type Place } from "../context/places.ts";
import { exchangePath } from "../perps/openExchange.ts";

/** The service's id of a currency, equal on all chains. */
export function currencyIdOf({ symbol }: Pick<LocalCurrency, "symbol">): string {
  return symbol.toLowerCase();
}

export function isWrappedNative(
  { swap }: { readonly swap?: Chain["swap"] | undefined },
  { address }: Pick<LocalCurrency, "address">,
): boolean {
  return address === swap?.wrappedNative;
}

/** Finds a currency of a chain by id or address, in any letter case; addresses of SVM chains in their own. */
export function findCurrency(
  { currencies }: Pick<Chain, "currencies">,
  idOrAddress: string,
): LocalCurrency | undefined {
  const wanted = storedAccount(idOrAddress);
  return currencies.find(
    (currency) => currencyIdOf(currency) === wanted || currency.address.toLowerCase() === wanted,
  );
}

export const chainImagePath = "/images/chains";
export const currencyImagePath = "/images/currencies";
export const explorerPath = "/explorer";

type Linked = Pick<Chain, "definition" | "siteUrl">;

export function chainImageUrl({ definition, siteUrl }: Linked): string {
  return `${siteUrl?.() ?? ""}${chainImagePath}/${definition.id}`;
}

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
