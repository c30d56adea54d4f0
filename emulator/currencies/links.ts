import type { Chain, LocalCurrency } from "../chains/Chain.ts";

/** Where pictures and explorer pages are. */
export const chainImagePath = "/images/chains";
export const currencyImagePath = "/images/currencies";
export const explorerPath = "/explorer";

type Linked = Pick<Chain, "definition" | "siteUrl">;

/** The picture of a chain. */
export function chainImageUrl({ definition, siteUrl }: Linked): string {
  return `${siteUrl?.() ?? ""}${chainImagePath}/${definition.id}`;
}

/** The picture of a currency. */
export function currencyImageUrl({ siteUrl }: Linked, { symbol }: Pick<LocalCurrency, "symbol">): string {
  return `${siteUrl?.() ?? ""}${currencyImagePath}/${symbol.toLowerCase()}`;
}

/** The explorer of a chain; `/tx/…`, `/address/…` and `/token/…` follow. */
export function explorerUrl({ definition, siteUrl }: Linked): string {
  return `${siteUrl?.() ?? ""}${explorerPath}/${definition.id}`;
}
