import { unitsToDecimal } from "../../src/internal/amounts.ts";
import type { Amount } from "../../src/schema/amount.ts";
import type { Currency } from "../../src/schema/currency.ts";
import type { RequestAppFees, RequestFees } from "../../src/schema/requestV3.ts";
import type { StoredAppFee } from "../store/StoredQuote.ts";
import type { RequestParts } from "./RequestParts.ts";
import { delivered, formatMicros, parseUsd, unitsWorth } from "./recordAmounts.ts";

/** Dollars of each component; negative where the user loses. */
export type FeeDollars = Readonly<Record<"swap" | "execution" | "platform" | "app" | "sponsored", bigint>>;

/** As the quote said, in micro-dollars. */
export function quotedFees({ quote }: Pick<RequestParts, "quote">): FeeDollars {
  const impact = quote.details?.expandedPriceImpact;
  return {
    app: parseUsd(impact?.app?.usd),
    execution: parseUsd(impact?.execution?.usd),
    platform: parseUsd(impact?.relay?.usd),
    sponsored: parseUsd(impact?.sponsored?.usd),
    swap: parseUsd(impact?.swap?.usd),
  };
}

/** As it came: what was delivered beside the quoted output is a gain or a loss of the swap. Undefined before success. */
export function actualFees(parts: RequestParts): FeeDollars | undefined {
  const received = delivered(parts);
  const quoted = parts.quote.details?.currencyOut;
  if (received === undefined || quoted === undefined) return undefined;
  const fees = quotedFees(parts);
  return { ...fees, swap: fees.swap + parseUsd(received.amountUsd) - parseUsd(quoted.amountUsd) };
}

/** The fees of a record of version 3: amounts are in the currency of the deposit, as those of the quote are. */
export function recordFees(parts: RequestParts): RequestFees | null {
  const { details, fees = {} } = parts.quote;
  const deposited = depositedAmount(parts);
  if (details === undefined || deposited === undefined) return null;
  const actual = actualFees(parts);
  const usd = quotedFees(parts);
  const component = (micros: bigint, amount: bigint) => ({
    amount: amount.toString(),
    amountFormatted: unitsToDecimal(amount, deposited.currency.decimals),
    usd: formatMicros(micros),
  });
  return {
    actual: actual && dollarsOf(actual),
    currency: deposited.currency,
    quoted: {
      app: component(usd.app, -unitsOf(fees.app)),
      execution: component(usd.execution, -unitsOf(fees.relayerGas)),
      platform: component(usd.platform, -unitsOf(fees.relayerService)),
      sponsored: component(usd.sponsored, unitsOf(fees.subsidized)),
      // What pools take is known in dollars alone.
      swap: component(usd.swap, unitsWorth(usd.swap, deposited)),
    },
  };
}

function dollarsOf({ app, execution, platform, sponsored, swap }: FeeDollars) {
  const component = (micros: bigint) => ({ usd: formatMicros(micros) });
  return {
    app: component(app),
    execution: component(execution),
    platform: component(platform),
    sponsored: component(sponsored),
    swap: component(swap),
  };
}

function unitsOf(amount: Pick<Amount, "amount"> | undefined): bigint {
  return BigInt(amount?.amount ?? 0);
}

/** What was to be deposited: what the user pays, or what his transaction swaps that into. */
function depositedAmount({ quote }: Pick<RequestParts, "quote">): Amount | undefined {
  const { currencyIn, route } = quote.details ?? {};
  const currency = quote.fees?.relayer?.currency.address ?? currencyIn?.currency.address;
  return [currencyIn, route?.origin?.outputCurrency].find((amount) => amount?.currency.address === currency);
}

/** What integrators were credited with: nothing before success, and then their shares of what was deposited. */
export function earnedAppFees({ earned, quote }: Pick<RequestParts, "earned" | "quote">): StoredAppFee[] {
  const decimals = appFeeCurrency({ quote })?.decimals ?? 0;
  return earned.flatMap(({ amount, bps, place, recipient }) => {
    const quoted = quote.appFees?.[place];
    if (quoted === undefined) return [];
    const whole = BigInt(quoted.amount);
    const usd = whole === 0n ? 0n : (parseUsd(quoted.amountUsd) * BigInt(amount)) / whole;
    return [
      {
        amount,
        amountFormatted: unitsToDecimal(BigInt(amount), decimals),
        amountUsd: formatMicros(usd),
        bps: bps.toString(),
        recipient,
      },
    ];
  });
}

/** The currency of app fees: that of the deposit. */
export function appFeeCurrency({ quote }: Pick<RequestParts, "quote">): Currency | undefined {
  return quote.fees?.app?.currency ?? quote.details?.currencyIn.currency;
}

/** The app fees of a record of version 3. */
export function recordAppFees(parts: RequestParts): RequestAppFees {
  const fees = parts.quote.appFees ?? [];
  return {
    actual: earnedAppFees(parts),
    currency: appFeeCurrency(parts),
    quoted: fees.map(({ amountUsd: _, ...fee }) => fee),
  };
}
