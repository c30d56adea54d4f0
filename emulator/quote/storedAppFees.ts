import type { Currency } from "../../src/schema/chain/currency.ts";
import type { Quote } from "../../src/schema/quote/quote.ts";
import type { LocalCurrency, ShownChain } from "../chains/Chain.ts";
import type { Context } from "../context/Context.ts";
import type { Place } from "../context/places.ts";
import { amountObject, currencyObject } from "../currencies/currencyId.ts";
import { convertAmount, exchangeRate, unitsPerToken } from "../money/prices.ts";
import type { StoredAppFee, StoredQuote } from "../requests/StoredQuote.ts";
import type { PricedRoute } from "./route/planRoute.ts";

type Payout = { readonly chain: ShownChain; readonly currency: LocalCurrency };

/**
 * The currency in which app fees accrue: USDC of the first chain that has it (service facts, "Fees": accrues off-chain in
 * USDC), else the deposit's currency.
 */
function appFeePlace(chains: Context["chains"], deposit: Payout): Payout {
  for (const chain of chains.values()) {
    const currency = chain.currencies.find(({ symbol }) => symbol === "USDC");
    if (currency !== undefined) return { chain, currency };
  }
  return deposit;
}

/** The app fees in the record of a quote: the amounts that accrue at the quote's prices. */
export function storedAppFees(
  { amounts, read, route }: PricedRoute<Place>,
  chains: Context["chains"],
): { readonly appFeeCurrency: Currency; readonly appFees: StoredAppFee[] } {
  const deposited = route.origin.to;
  const { chain, currency } = appFeePlace(chains, { chain: read.origin, currency: deposited });
  const appFees = read.appFees.map(({ bps, recipient }, index) => {
    const accrued = convertAmount(amounts.appFees[index] ?? 0n, deposited, currency);
    const { amount, amountFormatted, amountUsd } = amountObject(chain, currency, accrued);
    return { amount, amountFormatted, amountUsd: amountUsd ?? "0", bps: bps.toString(), recipient };
  });
  return { appFeeCurrency: currencyObject(chain, currency), appFees };
}

/** A quote in JSON: as the answer, and as its record stores it. */
type QuoteText = {
  readonly answer: string;
  readonly stored: string;
};

/**
 * Serializes a quote for the answer and for its record. The common part, nearly all of it, is serialized once: that
 * takes longer than pricing.
 */
export function quoteText(
  { details, fees, feeSponsorship, protocol, steps }: Quote,
  kept: Pick<StoredQuote, "appFeeCurrency" | "appFees" | "oraclePrice">,
): QuoteText {
  const sponsored = feeSponsorship ? `,"feeSponsorship":${JSON.stringify(feeSponsorship)}` : "";
  const shared = `"details":${JSON.stringify(details)},"fees":${JSON.stringify(fees)}${sponsored}`;
  const end = protocol === undefined ? "" : `,"protocol":${JSON.stringify(protocol)}`;
  return {
    answer: `{${shared},"steps":${JSON.stringify(steps)}${end}}`,
    stored: `${JSON.stringify(kept).slice(0, -1)},${shared}${end}}`,
  };
}

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
