import { QuoteError } from "../errors/QuoteError.ts";

/** US dollars in units of 1e-18, so that no amount of any currency loses a digit. */
export type Usd = bigint;

export const usdDigits = 18;
export const oneUsd: Usd = 10n ** 18n;

/** What amounts of a currency are valued by. */
export type Priced = {
  readonly decimals: number;
  readonly symbol: string;
  /** One whole token; the default price of its symbol unless given. */
  readonly usdPrice?: Usd | undefined;
};

/** What one whole token is worth unless it was set. Fixed, so that a test's amounts are the same tomorrow. */
export const defaultPrices: Readonly<Record<string, Usd>> = {
  ETH: 2500n * oneUsd,
  USDC: oneUsd,
  USDT: oneUsd,
  WETH: 2500n * oneUsd,
};

const wholes: bigint[] = [];

/** Smallest units in a whole token. They are kept: a power of ten costs more than what is done with it. */
export function unitsPerToken({ decimals }: Pick<Priced, "decimals">): bigint {
  wholes[decimals] ??= 10n ** BigInt(decimals);
  return wholes[decimals];
}

/** Which side of an exact value the result may lie on. */
export type Rounding = "down" | "up";

/** What an amount in smallest units is worth. */
export function usdOf(amount: bigint, currency: Priced): Usd {
  return (amount * price(currency)) / unitsPerToken(currency);
}

/** What an amount is worth in another currency, rounded down once. */
export function convertAmount(amount: bigint, from: Priced, to: Priced): bigint {
  return (amount * price(from) * unitsPerToken(to)) / (unitsPerToken(from) * price(to));
}

/** How much of a currency is worth `usd`, in smallest units. */
export function amountWorth(usd: Usd, currency: Priced, rounding: Rounding): bigint {
  return divide(usd * unitsPerToken(currency), price(currency), rounding);
}

/** Dollars are shown in millionths. */
const perMicro = 10n ** 12n;

/** In whole millionths of a dollar: sums of such amounts are shown as what they are. */
export function roundToMicros(usd: Usd): Usd {
  return (usd / perMicro) * perMicro;
}

/** Dollars with six places, as the wire carries them; for people only. */
export function formatUsd(usd: Usd): string {
  const micros = usd / perMicro;
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, "0");
  return `${micros < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Integer division of non-negative numbers, rounded as told. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  return rounding === "down" ? numerator / denominator : (numerator + denominator - 1n) / denominator;
}

function price({ symbol, usdPrice = defaultPrices[symbol] }: Priced): Usd {
  if (usdPrice === undefined) {
    throw new QuoteError("PRICE_FETCH_FAILED", `there is no price for ${symbol}`);
  }
  return usdPrice;
}
