import { unitsToDecimal } from "../../../src/internal/amounts.ts";
import type { Amount } from "../../../src/schema/quote/amount.ts";
import type { RequestAppFees, RequestFees } from "../../../src/schema/record/requestV3.ts";
import { flatFee, formatUsd, usdOf } from "../../money/prices.ts";
import { parseShownTerms } from "../Intent.ts";
import type { StoredAppFee } from "../StoredQuote.ts";
import type { RequestParts } from "./RequestParts.ts";
import {
  delivered,
  depositedAmount,
  formatMicros,
  paid,
  parseUsd,
  payingDeposit,
  toppedUp,
  unitsWorth,
} from "./recordAmounts.ts";
import { feeUsd } from "./recordTransactions.ts";

/** Dollars of each component; negative where the user pays. */
export type FeeDollars = Readonly<Record<"swap" | "execution" | "platform" | "app" | "sponsored", bigint>>;

/** Fees as quoted, in micro-dollars. */
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

/**
 * Fees as charged, in micro-dollars at the prices of each payment: the solver's gas with the flat fee, the
 * service's share of the deposit, and credited app fees. The swap accounts for the rest of the difference
 * between output and input. Undefined before success.
 */
export function actualFees(parts: RequestParts): FeeDollars | undefined {
  const received = delivered(parts);
  const spent = paid(parts);
  if (received === undefined || spent === undefined) return undefined;
  const topup = parseUsd(toppedUp(parts)?.amountUsd);
  const total = parseUsd(received.amountUsd) + topup - parseUsd(spent.amountUsd);
  const app = -earnedAppFees(parts).reduce((sum, { amountUsd }) => sum + parseUsd(amountUsd), 0n);
  const execution = -executionCost(parts);
  const platform = -serviceShare(parts);
  const { sponsored } = quotedFees(parts);
  return { app, execution, platform, sponsored, swap: total - app - execution - platform - sponsored };
}

/** Gas that the solver spent on the request, with the flat fee if it made a fill. */
function executionCost(parts: RequestParts): bigint {
  const { deposits, own, solver, transactions } = parts;
  const relayed = [
    ...deposits.filter(({ tx_from }) => tx_from === solver),
    ...own.filter(({ from_address }) => from_address === solver),
  ];
  const fills = transactions.filter(({ kind }) => kind === "fill");
  const gas = [...relayed, ...fills].reduce((sum, row) => sum + parseUsd(feeUsd(parts, row)), 0n);
  return fills.length === 0 ? gas : gas + parseUsd(formatUsd(flatFee));
}

/** The service's fee scales with the deposit as the output does; with a fixed output it stays as quoted. */
function serviceShare(parts: RequestParts): bigint {
  const { prices, quote } = parts;
  const { currency, amount = "0" } = quote.fees?.relayerService ?? {};
  const deposit = payingDeposit(parts);
  const expected = depositedAmount(parts);
  if (currency === undefined || deposit === undefined || expected === undefined) {
    return -quotedFees(parts).platform;
  }
  const { tradeType } = parseShownTerms(parts.request.intent);
  const share =
    tradeType === "EXACT_OUTPUT"
      ? BigInt(amount)
      : (BigInt(amount) * BigInt(deposit.amount)) / BigInt(expected.amount);
  return parseUsd(formatUsd(usdOf(share, prices.priced(currency, deposit.at))));
}

/**
 * Fees of a record of version 3. Amounts are in the currency of the deposit, as in the quote, and have no sign: `usd` says who
 * pays.
 */
export function recordFees(parts: RequestParts): RequestFees | null {
  const { details, fees = {} } = parts.quote;
  const expected = depositedAmount(parts);
  if (details === undefined || expected === undefined) return null;
  const actual = actualFees(parts);
  const usd = quotedFees(parts);
  const component = (micros: bigint, signed: bigint) => {
    const amount = signed < 0n ? -signed : signed;
    return {
      amount: amount.toString(),
      amountFormatted: unitsToDecimal(amount, expected.currency.decimals),
      usd: formatMicros(micros),
    };
  };
  return {
    actual: actual === undefined ? null : formatDollars(actual),
    currency: expected.currency,
    quoted: {
      app: component(usd.app, unitsOf(fees.app)),
      execution: component(usd.execution, unitsOf(fees.relayerGas)),
      platform: component(usd.platform, unitsOf(fees.relayerService)),
      sponsored: component(usd.sponsored, unitsOf(fees.subsidized)),
      // The cost of pools is known in dollars only.
      swap: component(usd.swap, unitsWorth(usd.swap, expected)),
    },
  };
}

/** Dollars of each component, as the wire carries them. */
export function formatDollars({ app, execution, platform, sponsored, swap }: FeeDollars) {
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

/** App fees that were credited, in dollars of that moment; none before success. */
export function earnedAppFees({ earned, prices, quote }: RequestParts): StoredAppFee[] {
  const currency = quote.appFeeCurrency;
  if (currency === undefined) return [];
  return earned.map(({ amount, at, bps, recipient }) => ({
    amount,
    amountFormatted: unitsToDecimal(BigInt(amount), currency.decimals),
    amountUsd: formatUsd(usdOf(BigInt(amount), prices.priced(currency, at))),
    bps: bps.toString(),
    recipient,
  }));
}

export function recordAppFees(parts: RequestParts): RequestAppFees {
  const { appFeeCurrency, appFees = [] } = parts.quote;
  return {
    actual: earnedAppFees(parts),
    currency: appFeeCurrency,
    quoted: appFees.map(({ amountUsd: _, ...fee }) => fee),
  };
}
