import type { Chain, LocalCurrency } from "../chains/Chain.ts";

/** The service's name of a currency: the same on every chain. */
export function currencyIdOf({ symbol }: Pick<LocalCurrency, "symbol">): string {
  return symbol.toLowerCase();
}

/** The currency of a chain with this id or address, in any letter case. */
export function findCurrency(
  { currencies }: Pick<Chain, "currencies">,
  idOrAddress: string,
): LocalCurrency | undefined {
  const wanted = idOrAddress.toLowerCase();
  return currencies.find(
    (currency) => currencyIdOf(currency) === wanted || currency.address.toLowerCase() === wanted,
  );
}
