import { zeroAddress } from "viem";
import type { Amount } from "../../schema/quote/amount.ts";
import { normalizeForComparison } from "./normalizeForComparison.ts";
import { expectAtLeast, expectEqual, type QuoteCheck, report } from "./QuoteCheck.ts";
import type { Bounds } from "./readBounds.ts";

const basisPoints = 10_000n;
const nativeDecimals = 18;

/** Compares the quote's `details` with the request. */
export function checkDetails(check: QuoteCheck, { ceiling, floor, isBounded }: Bounds): void {
  const { quote, wanted } = check;
  const { currencyGasTopup: topup, currencyIn, currencyOut, recipient, sender } = quote.details;
  const sides: [path: string, amount: Amount, chainId: number, currency: string][] = [
    ["details.currencyIn", currencyIn, wanted.originChainId, wanted.originCurrency],
    ["details.currencyOut", currencyOut, wanted.destinationChainId, wanted.destinationCurrency],
  ];
  const isPaid = topup !== undefined && topup.amount !== "0";
  if (isPaid) sides.push(["details.currencyGasTopup", topup, wanted.destinationChainId, zeroAddress]);
  if (wanted.request !== undefined) {
    // No order signs a top-up: it must be asked for.
    const isAsked = wanted.request.topupGas === true;
    expectEqual(check, "QUOTE_AMOUNT", "details.currencyGasTopup.amount", isAsked, isPaid);
  }
  for (const [path, { currency }, chainId, address] of sides) {
    expectEqual(check, "QUOTE_CHAIN", `${path}.currency.chainId`, chainId, currency.chainId);
    expectEqual(check, "QUOTE_CURRENCY", `${path}.currency.address`, address, currency.address);
  }
  expectEqual(check, "QUOTE_SENDER", "details.sender", wanted.user, sender);
  expectEqual(check, "QUOTE_RECIPIENT", "details.recipient", wanted.recipient, recipient);
  if (!isBounded) {
    const isFixedInput = wanted.request?.tradeType === "EXACT_INPUT";
    const needed = isFixedInput ? "minimumOutput" : "maximumInput";
    report(check, "QUOTE_BOUNDS", needed, `${needed}, price, or bounds: "none"`, "none");
  }
  atMost(check, "details.currencyIn.amount", ceiling, BigInt(currencyIn.amount));
  const minimum = BigInt(currencyOut.minimumAmount ?? currencyOut.amount);
  expectAtLeast(check, "details.currencyOut.minimumAmount", floor, minimum);
  checkAsked(check, BigInt(currencyOut.amount), minimum);
  for (const [path, amount] of sides) checkShown(check, path, amount);
}

function checkAsked(check: QuoteCheck, amountOut: bigint, minimum: bigint): void {
  const { quote, wanted } = check;
  const { request } = wanted;
  if (request === undefined) return;
  const asked = BigInt(request.amount);
  if (request.tradeType === "EXACT_INPUT") {
    expectEqual(check, "QUOTE_AMOUNT", "details.currencyIn.amount", asked, quote.details.currencyIn.amount);
  } else {
    const exact = request.tradeType === "EXACT_OUTPUT";
    expectAtLeast(check, "details.currencyOut.amount", asked, exact ? minimum : amountOut);
  }
  if (request.slippageTolerance === undefined) return;
  const least = (amountOut * (basisPoints - BigInt(request.slippageTolerance))) / basisPoints;
  expectAtLeast(check, "details.currencyOut.minimumAmount", least, minimum);
}

/** Checks that the formatted amount equals the exact one, to the decimals shown. */
function checkShown(check: QuoteCheck, path: string, { amount, amountFormatted, currency }: Amount): void {
  const { address, decimals } = currency;
  if (normalizeForComparison(address) === zeroAddress) {
    expectEqual(check, "QUOTE_DISPLAY", `${path}.currency.decimals`, nativeDecimals, decimals);
  }
  if (amountFormatted === undefined || amountFormatted === null) return;
  const [, whole = "", part = ""] = /^(\d+)(?:\.(\d+))?$/.exec(amountFormatted) ?? [];
  const digits = part.slice(0, decimals);
  const scale = 10n ** BigInt(Math.max(decimals - digits.length, 0));
  const isRead = whole !== "" && /^0*$/.test(part.slice(decimals));
  const shown = isRead ? BigInt(`${whole}${digits}`) * scale : -1n;
  const difference = shown > BigInt(amount) ? shown - BigInt(amount) : BigInt(amount) - shown;
  if (shown < 0n || difference >= scale) {
    report(check, "QUOTE_DISPLAY", `${path}.amountFormatted`, `${amount} / 10^${decimals}`, amountFormatted);
  }
}

function atMost(check: QuoteCheck, path: string, limit: bigint | undefined, actual: bigint): void {
  if (limit !== undefined && actual > limit) report(check, "QUOTE_AMOUNT", path, `at most ${limit}`, actual);
}
