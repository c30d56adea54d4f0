import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { usualMaximumSlippage } from "./proofDefaults.ts";
import type { PriceQuestion, QuoteIntent, QuotePolicy } from "./VerifyQuoteParameters.ts";

const basisPoints = 10_000n;
/** Default slippage, in basis points. */
const usualSlippage = 200n;
/** Default share of the caller's own price that fees may take, in basis points. */
const usualPriceTolerance = 200;

/** The caller's bounds, in smallest units; zero and undefined for no bound. */
export type Bounds = {
  readonly floor: bigint;
  readonly ceiling: bigint | undefined;
  /** Whether the open side has a bound, or the caller chose `bounds: "none"`. */
  readonly isBounded: boolean;
};

/**
 * Computes the bounds of a request from the caller's policy.
 *
 * @throws InvalidParameterError when `price` does not return a positive amount. Errors of `price` pass through.
 */
export async function readBounds(policy: QuotePolicy, request: QuoteIntent): Promise<Bounds> {
  const { maximumInput, minimumOutput = 0n } = policy;
  const amount = BigInt(request.amount);
  const asked = BigInt(request.slippageTolerance ?? usualSlippage);
  const most = BigInt(policy.maximumSlippage ?? usualMaximumSlippage);
  const slippage = asked < most ? asked : most;
  const price = await askPrice(policy, request);
  const isUnbounded = policy.bounds === "none";
  if (request.tradeType === "EXACT_INPUT") {
    // The service's minimum takes the slippage from an amount that fees have lowered already.
    const tolerance = BigInt(policy.priceTolerance ?? usualPriceTolerance);
    const fair = price === undefined ? 0n : less(less(price, tolerance), slippage);
    const floor = fair > minimumOutput ? fair : minimumOutput;
    return { ceiling: maximumInput, floor, isBounded: isUnbounded || floor > 0n };
  }
  const least = request.tradeType === "EXACT_OUTPUT" ? amount : less(amount, slippage);
  const isLower = request.tradeType === "EXACT_OUTPUT" ? minimumOutput < least : minimumOutput === 0n;
  const fair = price && (price * (basisPoints + slippage)) / basisPoints;
  const ceiling = fair === undefined || (maximumInput ?? fair) < fair ? maximumInput : fair;
  return {
    ceiling,
    floor: isLower ? least : minimumOutput,
    isBounded: isUnbounded || ceiling !== undefined,
  };
}

async function askPrice({ price }: QuotePolicy, request: QuoteIntent): Promise<bigint | undefined> {
  if (price === undefined) return undefined;
  const { destinationChainId, destinationCurrency, originChainId, originCurrency, tradeType } = request;
  const side = tradeType === "EXACT_INPUT" ? "output" : "input";
  const route = { destinationChainId, destinationCurrency, originChainId, originCurrency };
  const question: PriceQuestion = { amount: BigInt(request.amount), side, tradeType, ...route };
  const answer: unknown = await price(question);
  if (typeof answer === "bigint" && answer > 0n) return answer;
  throw new InvalidParameterError({ parameter: "price", reason: "it returns no positive bigint" });
}

/** Takes a share off. Rounds up: rounding down would exceed the slippage. */
function less(amount: bigint, share: bigint): bigint {
  if (share >= basisPoints) return 0n;
  return (amount * (basisPoints - share) + basisPoints - 1n) / basisPoints;
}
