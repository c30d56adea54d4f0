import { oneUsd, type Priced, type Usd } from "./prices.ts";

/** Flat part of the execution fee: two cents. */
export const flatFee: Usd = oneUsd / 50n;

const stable = new Set(["USDC", "USDT"]);
const nativeLike = new Set(["ETH", "WETH"]);

/** The service's fee: bridging is free, stable pairs cost a basis point, others six. */
export function serviceFeeBps(
  currencyIn: Pick<Priced, "symbol">,
  currencyOut: Pick<Priced, "symbol">,
): bigint {
  const [a, b] = [currencyIn.symbol, currencyOut.symbol];
  if (a === b || (nativeLike.has(a) && nativeLike.has(b))) return 0n;
  return stable.has(a) && stable.has(b) ? 1n : 6n;
}
