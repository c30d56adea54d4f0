import type { Place } from "../../context/places.ts";
import { amountObject } from "../../currencies/amountObject.ts";
import { convertAmount, exchangeRate, unitsPerToken } from "../../money/prices.ts";
import type { StoredQuote } from "../../requests/StoredQuote.ts";
import type { PricedRoute } from "../route/PricedRoute.ts";

/** The oracle's price of a fixed rate before the spread: the input, and what it is worth in the output's currency. */
export function oraclePrice(
  { amounts, read }: Pick<PricedRoute<Place>, "amounts" | "read">,
  now: number,
): NonNullable<StoredQuote["oraclePrice"]> {
  const { currencyIn, currencyOut, destination, origin } = read;
  const from = (amount: bigint) => amountObject(origin, currencyIn, amount);
  const to = (amount: bigint) =>
    amountObject(destination, currencyOut, convertAmount(amount, currencyIn, currencyOut));
  const whole = unitsPerToken(currencyIn);
  return {
    inputCurrency: from(amounts.amountIn),
    observedAt: new Date(now).toISOString(),
    outputCurrency: to(amounts.amountIn),
    rate: exchangeRate(to(whole), from(whole)),
  };
}
