import { storedAccount } from "../chains/accountText.ts";
import type { Chain, LocalCurrency } from "../chains/Chain.ts";

/** The service's id of a currency, equal on all chains. */
export function currencyIdOf({ symbol }: Pick<LocalCurrency, "symbol">): string {
  return symbol.toLowerCase();
}

/** Whether a currency of a chain is its wrapped native one. */
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
