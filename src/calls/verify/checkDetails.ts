import { differ, type QuoteCheck, same } from "./QuoteCheck.ts";

const basisPoints = 10_000n;

/** The limits that a caller sets beside what was asked for, in smallest units. */
export type QuoteLimits = {
  /** The most that may be paid. */
  maximumInput?: bigint | undefined;
  /** The least that must come out. */
  minimumOutput?: bigint | undefined;
};

/** What the quote says of itself, against what was asked for. */
export function checkDetails(check: QuoteCheck, { maximumInput, minimumOutput }: QuoteLimits): void {
  const { quote, wanted } = check;
  const { currencyIn, currencyOut, recipient, sender } = quote.details;
  const [input, output] = ["details.currencyIn", "details.currencyOut"];
  same(check, "QUOTE_CHAIN", `${input}.currency.chainId`, wanted.originChainId, currencyIn.currency.chainId);
  same(
    check,
    "QUOTE_CHAIN",
    `${output}.currency.chainId`,
    wanted.destinationChainId,
    currencyOut.currency.chainId,
  );
  same(
    check,
    "QUOTE_CURRENCY",
    `${input}.currency.address`,
    wanted.originCurrency,
    currencyIn.currency.address,
  );
  same(
    check,
    "QUOTE_CURRENCY",
    `${output}.currency.address`,
    wanted.destinationCurrency,
    currencyOut.currency.address,
  );
  same(check, "QUOTE_SENDER", "details.sender", wanted.user, sender);
  same(check, "QUOTE_RECIPIENT", "details.recipient", wanted.recipient, recipient);
  atMost(check, `${input}.amount`, maximumInput, wanted.amountIn);
  atLeast(check, `${output}.minimumAmount`, minimumOutput, wanted.minimumOut);
  checkAsked(check, BigInt(currencyOut.amount));
}

function checkAsked(check: QuoteCheck, amountOut: bigint): void {
  const { amountIn, minimumOut, request } = check.wanted;
  if (request === undefined) return;
  const asked = BigInt(request.amount);
  if (request.tradeType === "EXACT_INPUT") {
    same(check, "QUOTE_AMOUNT", "details.currencyIn.amount", asked, amountIn);
  } else {
    const exact = request.tradeType === "EXACT_OUTPUT";
    atLeast(check, "details.currencyOut.amount", asked, exact ? minimumOut : amountOut);
  }
  if (request.slippageTolerance === undefined) return;
  const least = (amountOut * (basisPoints - BigInt(request.slippageTolerance))) / basisPoints;
  atLeast(check, "details.currencyOut.minimumAmount", least, minimumOut);
}

function atMost(check: QuoteCheck, path: string, limit: bigint | undefined, actual: bigint): void {
  if (limit !== undefined && actual > limit) differ(check, "QUOTE_AMOUNT", path, `at most ${limit}`, actual);
}

function atLeast(check: QuoteCheck, path: string, limit: bigint | undefined, actual: bigint): void {
  if (limit !== undefined && actual < limit) differ(check, "QUOTE_OUTPUT", path, `at least ${limit}`, actual);
}
