import type { Currency } from "../../src/schema/chain/currency.ts";
import type { LocalCurrency, ShownChain } from "../chains/Chain.ts";
import type { Context } from "../context/Context.ts";
import type { Place } from "../context/places.ts";
import { amountObject, currencyObject } from "../currencies/amountObject.ts";
import { convertAmount } from "../money/prices.ts";
import type { StoredAppFee } from "../requests/StoredQuote.ts";
import type { PricedRoute } from "./route/PricedRoute.ts";

/** A currency on its chain. */
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
