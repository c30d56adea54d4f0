import type * as z from "zod";
import type {
  CurrenciesV1,
  currenciesRequestSchema,
  ListedCurrency,
} from "../../src/schema/chain/currencies.ts";
import type { Chain } from "../chains/Chain.ts";
import { currencyObject } from "./amountObject.ts";
import { currencyIdOf } from "./currencyId.ts";

/** Conditions of a search. */
type CurrencySearch = z.output<typeof currenciesRequestSchema>;

type Entry = { readonly id: string; readonly listed: ListedCurrency };

/**
 * Finds currencies that match all conditions, chain by chain. All are verified and on the default list; none supports deposit
 * addresses.
 */
export function searchCurrencies(chains: Iterable<Chain>, search: CurrencySearch): readonly ListedCurrency[] {
  return find(chains, search)
    .slice(0, search.limit)
    .map(({ listed }) => listed);
}

/** Groups the result of a search by currency; the limit counts groups. */
export function searchCurrencyGroups(chains: Iterable<Chain>, search: CurrencySearch): CurrenciesV1 {
  const groups = Map.groupBy(find(chains, search), ({ id }) => id);
  return [...groups]
    .slice(0, search.limit)
    .map(([groupID, entries]) => entries.map(({ listed }) => ({ groupID, ...listed })));
}

function find(chains: Iterable<Chain>, search: CurrencySearch): readonly Entry[] {
  if (search.depositAddressOnly === true) return [];
  const entries = [...chains].flatMap(entriesOf);
  const found = entries.filter((entry) => matches(entry, search));
  if (search.includeAllChains !== true) return found;
  const ids = new Set(found.map(({ id }) => id));
  return entries.filter(({ id }) => ids.has(id));
}

function entriesOf(chain: Chain): readonly Entry[] {
  return chain.currencies.map((currency) => ({
    id: currencyIdOf(currency),
    listed: { ...currencyObject(chain, currency), vmType: "evm" },
  }));
}

function matches({ id, listed }: Entry, search: CurrencySearch): boolean {
  const { address, chainIds, currencyId, term, tokens } = search;
  const token = `${listed.chainId}:${listed.address}`;
  const words = [listed.name, listed.symbol, listed.address].map((word) => word.toLowerCase());
  return (
    (chainIds === undefined || chainIds.includes(listed.chainId)) &&
    (address === undefined || address.toLowerCase() === listed.address) &&
    (currencyId === undefined || currencyId.toLowerCase() === id) &&
    (tokens === undefined || tokens.some((wanted) => wanted.toLowerCase() === token)) &&
    (term === undefined || words.some((word) => word.includes(term.toLowerCase())))
  );
}
