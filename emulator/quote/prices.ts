import type { LocalCurrency } from "../chains/Chain.ts";

/** US dollars in units of 1e-18, so that no amount of any currency loses a digit. */
export type Usd = bigint;

export const oneUsd: Usd = 10n ** 18n;

/** Dollars for one whole token. Fixed, so that a test's amounts are the same tomorrow. */
const dollarsPerToken: Readonly<Record<string, bigint>> = { ETH: 2500n, USDC: 1n, USDT: 1n, WETH: 2500n };

/** Which side of an exact value the result may lie on. */
export type Rounding = "down" | "up";

/** What an amount in smallest units is worth. */
export function usdOf(amount: bigint, currency: LocalCurrency): Usd {
  return (amount * price(currency)) / 10n ** BigInt(currency.decimals);
}

/** How much of a currency is worth `usd`, in smallest units. */
export function amountWorth(usd: Usd, currency: LocalCurrency, rounding: Rounding): bigint {
  return divide(usd * 10n ** BigInt(currency.decimals), price(currency), rounding);
}

/** Dollars with six places, as the wire carries them; for people only. */
export function formatUsd(usd: Usd): string {
  const micros = usd / 10n ** 12n;
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, "0");
  return `${micros < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Integer division of non-negative numbers, rounded as told. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  return rounding === "down" ? numerator / denominator : (numerator + denominator - 1n) / denominator;
}

function price(currency: LocalCurrency): bigint {
  const dollars = dollarsPerToken[currency.symbol];
  if (dollars === undefined) throw new Error(`there is no price for ${currency.symbol}`);
  return dollars * oneUsd;
}
