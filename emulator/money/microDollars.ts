import type { Usd } from "./prices.ts";

const perMicroDollar = 10n ** 12n;
const largest = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Dollars in the form of the search: whole micro-dollars, rounded down and capped at nine billion dollars.
 */
export function microDollars(usd: Usd): number {
  const micros = usd / perMicroDollar;
  return Number(micros > largest ? largest : micros);
}
