import { zeroAddress } from "viem";
import type { Amount } from "../../../schema/quote/amount.ts";
import { choose, normalizeForComparison, Unmet } from "../compareWhole.ts";
import { usualMaximumSlippage } from "../proofDefaults.ts";
import type { Terms } from "../Terms.ts";
import type { TrustedChain } from "../TrustRoots.ts";

const basisPoints = 10_000n;
const nativeDecimals = 18;

/** The amounts and accounts that the quote must show. */
export function expectDetails(terms: Terms): object {
  const { destination, origin, quote, recipient, request } = terms;
  const { destinationChainId, destinationCurrency, originChainId, originCurrency } = request;
  const { currencyGasTopup: topup, currencyIn, currencyOut } = quote.details;
  const isPaid = isPaidTopup(topup);
  const isAsked = request.topupGas === true;
  return {
    // No order signs a top-up: it must be asked for.
    currencyGasTopup:
      isPaid && isAsked
        ? expectAmount(terms, topup, zeroAddress, destinationChainId, destination)
        : { amount: isPaid === isAsked ? "0" : new Unmet(isAsked ? "more than 0" : "0") },
    currencyIn: {
      ...expectAmount(terms, currencyIn, originCurrency, originChainId, origin),
      amount: expectInput(terms),
    },
    currencyOut: {
      ...expectAmount(terms, currencyOut, destinationCurrency, destinationChainId, destination),
      ...expectOutput(terms),
    },
    recipient,
    sender: request.user,
  };
}

/** What the quote shows, in the form of {@link expectDetails}. */
export function detailsOf({ quote: { details } }: Terms): object {
  const { currencyGasTopup: topup, currencyOut } = details;
  return {
    ...details,
    currencyGasTopup: isPaidTopup(topup) ? topup : { amount: "0" },
    currencyOut: { minimumAmount: currencyOut.amount, ...currencyOut },
  };
}

function isPaidTopup(topup: Amount | undefined): topup is Amount {
  return topup !== undefined && topup.amount !== "0";
}

/** The open side needs a bound. */
export function expectBounds({ bounds, request }: Terms): object {
  if (bounds.isBounded) return {};
  const needed = request.tradeType === "EXACT_INPUT" ? "minimumOutput" : "maximumInput";
  return { [needed]: new Unmet(`${needed}, price, or bounds: "none"`, "QUOTE_BOUNDS", "none") };
}

function expectAmount(
  { trust }: Terms,
  { amount, amountFormatted, currency }: Amount,
  address: string,
  chainId: number,
  chain: TrustedChain | undefined,
): object {
  const { decimals } = currency;
  const isNative = normalizeForComparison(address) === zeroAddress;
  const isShown = amountFormatted == null || showsAmount(amountFormatted, BigInt(amount), decimals);
  const named = `one of \`trust\` (${trust.chains.map((each) => each.chainId)})`;
  return {
    amount,
    amountFormatted: choose(amountFormatted, isShown, `${amount} / 10^${decimals}`),
    currency: {
      address,
      chainId: chain === undefined ? new Unmet(named, "QUOTE_UNKNOWN_CHAIN", String(chainId)) : chainId,
      decimals: isNative ? nativeDecimals : decimals,
    },
  };
}

function expectInput({ amountIn, bounds: { ceiling } }: Terms): bigint | Unmet {
  if (amountIn <= 0n) return new Unmet("more than 0");
  return choose(amountIn, ceiling === undefined || amountIn <= ceiling, `at most ${ceiling}`);
}

function expectOutput({ bounds: { floor }, policy, quote, request }: Terms): object {
  const { amount: text, minimumAmount: least = text } = quote.details.currencyOut;
  const [amount, minimum] = [BigInt(text), BigInt(least)];
  const asked = request.tradeType === "EXACT_INPUT" ? 0n : BigInt(request.amount);
  const most = policy.maximumSlippage ?? usualMaximumSlippage;
  const slippage = BigInt(Math.min(Number(request.slippageTolerance ?? most), most));
  const slipped = (amount * (basisPoints - slippage)) / basisPoints;
  const needed = slipped > floor ? slipped : floor;
  // The order's own figure: the service could show any other.
  const expected = BigInt(quote.protocol?.v2?.orderData?.output.payments[0]?.expectedAmount ?? text);
  const bound = amount < asked ? `at least ${asked}` : `at most ${expected}, which the order expects`;
  return {
    amount: choose(amount, amount >= asked && amount <= expected, bound),
    minimumAmount: choose(minimum, minimum >= needed, `at least ${needed}`),
  };
}

/** Whether a formatted amount equals the exact one to the decimals shown, and within one percent. */
function showsAmount(formatted: string, amount: bigint, decimals: number): boolean {
  const [, whole = "", part = ""] = /^(\d+)(?:\.(\d+))?$/.exec(formatted) ?? [];
  const digits = part.slice(0, decimals);
  if (whole === "" || !/^0*$/.test(part.slice(decimals))) return false;
  const scale = 10n ** BigInt(Math.max(decimals - digits.length, 0));
  const shown = BigInt(`${whole}${digits}`) * scale;
  const difference = shown > amount ? shown - amount : amount - shown;
  return difference < scale && difference * 100n <= amount;
}
