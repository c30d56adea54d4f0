import { unitsToDecimal } from "../../src/internal/amounts.ts";
import type { Amount } from "../../src/schema/quote/amount.ts";
import { QuoteError } from "../errors/refusals.ts";

/** US dollars in units of 1e-18, so that no amount of any currency loses a digit. */
export type Usd = bigint;

export const usdDigits = 18;
export const oneUsd: Usd = 10n ** 18n;

/** Units and price of a currency. */
export type Priced = {
  readonly decimals: number;
  readonly symbol: string;
  /** Price of a whole token. @default the default price of its symbol */
  readonly usdPrice?: Usd | undefined;
};

/** Default prices of a whole token. They are fixed, so that amounts in tests never change. */
export const defaultPrices: Readonly<Record<string, Usd>> = {
  DRIFT: oneUsd,
  ETH: 2500n * oneUsd,
  JTO: 3n * oneUsd,
  JUP: oneUsd,
  PYTH: oneUsd / 2n,
  RAY: 4n * oneUsd,
  RENDER: 4n * oneUsd,
  SOL: 150n * oneUsd,
  USDC: oneUsd,
  USDT: oneUsd,
  WETH: 2500n * oneUsd,
  WIF: 2n * oneUsd,
};

const wholes: bigint[] = [];

/** Smallest units in a whole token. Cached: computing a power of ten costs more than using it. */
export function unitsPerToken({ decimals }: Pick<Priced, "decimals">): bigint {
  wholes[decimals] ??= 10n ** BigInt(decimals);
  return wholes[decimals];
}

/** Direction of rounding. */
export type Rounding = "down" | "up";

/** Worth of an amount in smallest units. */
export function usdOf(amount: bigint, currency: Priced): Usd {
  return (amount * price(currency)) / unitsPerToken(currency);
}

/** Converts an amount to another currency by price; rounded down once. */
export function convertAmount(amount: bigint, from: Priced, to: Priced): bigint {
  return exchangeAmount(amount, from, to, "down");
}

/** Converts an amount to another currency by price, rounded once. */
export function exchangeAmount(amount: bigint, from: Priced, to: Priced, rounding: Rounding): bigint {
  const { given, taken } = exchangeRatio(from, to);
  return divide(amount * given, taken, rounding);
}

/** Smallest units of one currency that are `given` for those `taken` of another, by price. */
export function exchangeRatio(from: Priced, to: Priced): { readonly given: bigint; readonly taken: bigint } {
  return { given: price(from) * unitsPerToken(to), taken: unitsPerToken(from) * price(to) };
}

/** Amount of a currency that is worth `usd`, in smallest units. */
export function amountWorth(usd: Usd, currency: Priced, rounding: Rounding): bigint {
  return divide(usd * unitsPerToken(currency), price(currency), rounding);
}

/** Units of 1e-18 dollars in a millionth, the precision that is shown. */
const perMicro = 10n ** 12n;

/** Rounds to whole millionths of a dollar, so that shown amounts add up. */
export function roundToMicros(usd: Usd): Usd {
  return (usd / perMicro) * perMicro;
}

/** Dollars with six decimal places, as the wire carries them. For display only. */
export function formatUsd(usd: Usd): string {
  const micros = usd / perMicro;
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, "0");
  return `${micros < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Integer division of non-negative numbers with the given rounding. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  return (rounding === "up" ? numerator + denominator - 1n : numerator) / denominator;
}

function price({ symbol, usdPrice = defaultPrices[symbol] }: Priced): Usd {
  if (usdPrice === undefined) {
    throw new QuoteError("PRICE_FETCH_FAILED", `there is no price for ${symbol}`);
  }
  return usdPrice;
}

const ratePlaces = 18;

/** Whole output tokens per whole input token, as a decimal number without an exponent. */
export function exchangeRate(output: Amount, input: Amount): string {
  const scale = 10n ** BigInt(input.currency.decimals + ratePlaces);
  const whole = BigInt(input.amount) * 10n ** BigInt(output.currency.decimals);
  return unitsToDecimal((BigInt(output.amount) * scale) / whole, ratePlaces);
}

const perMicroDollar = 10n ** 12n;
const largest = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Dollars in the form of the search: whole micro-dollars, rounded down and capped at nine billion dollars.
 */
export function microDollars(usd: Usd): number {
  const micros = usd / perMicroDollar;
  return Number(micros > largest ? largest : micros);
}

/** Worth of an amount in whole millionths of a dollar, rounded up. */
export function microsOwed(amount: bigint, currency: Priced): bigint {
  return divide(amount * price(currency), unitsPerToken(currency) * perMicro, "up");
}

/** Dollars of whole millionths. */
export function usdOfMicros(micros: bigint): Usd {
  return micros * perMicro;
}

/** Basis points in a whole. */
export const basisPoints = 10_000n;

/** Tolerance of an output that varies, unless the request names another one; basis points. */
export const defaultSlippageBps = 200n;

/** Flat part of the execution fee: two cents. */
export const flatFee: Usd = oneUsd / 50n;
