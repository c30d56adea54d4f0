import type { Usd } from "./prices.ts";

const perMicroDollar = 10n ** 12n;
const largest = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Dollars as they are stored to be searched by: whole micro-dollars, rounded down. What is worth more than nine billion
 * dollars counts as that much.
 */
export function microDollars(usd: Usd): number {
  const micros = usd / perMicroDollar;
  return Number(micros > largest ? largest : micros);
}
