import { zeroAddress } from "viem";
import { getCurrencies } from "../../src/client/getCurrencies.ts";
import type { Client } from "../../src/client/internal/Client.ts";
import type { ListedCurrency } from "../../src/schema/chain/currencies.ts";
import { usageError } from "../terminal/CommandError.ts";

/** A currency as a flag names it: by symbol or address. */
export type NamedCurrency = { readonly chainId: number; readonly currency: string };

const longestList = 5;

/**
 * Finds the currency that a flag names.
 *
 * @throws CommandError for an unknown one, and for a symbol that several currencies have: names can be forged.
 */
export async function findCurrency(
  client: Client,
  { chainId, currency: named }: NamedCurrency,
  signal: AbortSignal,
): Promise<ListedCurrency> {
  const currency = named.toLowerCase() === "native" ? zeroAddress : named;
  const isSymbol = /^[^0]|^0[^x]/.test(currency) && currency.length < 30;
  const search = isSymbol ? { limit: 100, term: currency } : { address: currency };
  const listed = await getCurrencies(client, { chainIds: [chainId], ...search, signal });
  const same = (text: string) => text.toLowerCase() === currency.toLowerCase();
  const found = listed.filter(
    (each) => each.chainId === chainId && same(isSymbol ? each.symbol : each.address),
  );
  const [first] = found;
  if (first === undefined)
    throw usageError(`Chain ${chainId} has no currency ${named} that the service lists.`);
  if (found.length > 1) {
    const addresses = found.slice(0, longestList).map(({ address }) => address);
    throw usageError(
      `Several currencies of chain ${chainId} are called ${currency}: name one of ${addresses.join(", ")}.`,
    );
  }
  return first;
}
