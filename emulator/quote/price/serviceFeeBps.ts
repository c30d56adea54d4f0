import type { Chain, LocalCurrency } from "../../chains/Chain.ts";
import { isWrappedNative } from "../../currencies/currencyId.ts";
import type { ReadIntent } from "../request/readIntent.ts";

const stable: ReadonlySet<string> = new Set(["USDC", "USDT"]);

/**
 * The service's fee in basis points: 0 for the same asset on both sides, 1 between stable currencies, else 6. Wrapped native
 * currency counts as native.
 */
export function serviceFeeBps({
  currencyIn,
  currencyOut,
  destination,
  origin,
}: Pick<ReadIntent, "currencyIn" | "currencyOut" | "destination" | "origin">): bigint {
  const paid = assetOf(origin, currencyIn);
  const received = assetOf(destination, currencyOut);
  if (paid === received) return 0n;
  return stable.has(paid) && stable.has(received) ? 1n : 6n;
}

/** The symbol that a currency has on every chain. */
function assetOf(chain: Chain, currency: LocalCurrency): string {
  const [native] = chain.currencies;
  return native !== undefined && isWrappedNative(chain, currency) ? native.symbol : currency.symbol;
}
