import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { usualMaximumSlippage, usualPriceTolerance } from "./proofDefaults.ts";
import type { QuoteIntent, QuotePolicy } from "./VerifyQuoteParameters.ts";

const basisPoints = 10_000n;
/** Default slippage, in basis points. */
const usualSlippage = 200n;

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
  const { bounds, maximumInput, minimumOutput = 0n } = policy;
  const asked = BigInt(request.slippageTolerance ?? usualSlippage);
  const most = BigInt(policy.maximumSlippage ?? usualMaximumSlippage);
  const slippage = asked < most ? asked : most;
  const price = await askPrice(policy, request);
  const isFixedInput = request.tradeType === "EXACT_INPUT";
  // The service's minimum takes the slippage from an amount that fees have lowered already.
  const tolerance = BigInt(policy.priceTolerance ?? usualPriceTolerance);
  const fromPrice = isFixedInput && price !== undefined ? less(less(price, tolerance), slippage) : 0n;
  const floor = largest(minimumOutput, fromPrice, leastOf(request, minimumOutput, slippage));
  const priced = isFixedInput || price === undefined ? undefined : more(price, slippage);
  const ceilings = [maximumInput, priced].filter((each) => each !== undefined);
  const [ceiling] = ceilings.sort(ascending);
  const isBounded = bounds === "none" || (isFixedInput ? floor > 0n : ceiling !== undefined);
  return { ceiling, floor, isBounded };
}

/** Minimum output that the request fixes, exactly or with slippage. */
function leastOf({ amount, tradeType }: QuoteIntent, minimumOutput: bigint, slippage: bigint): bigint {
  if (tradeType === "EXACT_INPUT") return 0n;
  if (tradeType === "EXACT_OUTPUT") return BigInt(amount);
  return minimumOutput > 0n ? minimumOutput : less(BigInt(amount), slippage);
}

async function askPrice({ price }: QuotePolicy, request: QuoteIntent): Promise<bigint | undefined> {
  if (price === undefined) return undefined;
  const { destinationChainId, destinationCurrency, originChainId, originCurrency, tradeType } = request;
  const answer: unknown = await price({
    amount: BigInt(request.amount),
    destinationChainId,
    destinationCurrency,
    originChainId,
    originCurrency,
    side: tradeType === "EXACT_INPUT" ? "output" : "input",
    tradeType,
  });
  if (typeof answer === "bigint" && answer > 0n) return answer;
  throw new InvalidParameterError({ parameter: "price", reason: "it returns no positive bigint" });
}

/** Rounds up: rounding down would exceed the slippage. */
function less(amount: bigint, slippage: bigint): bigint {
  if (slippage >= basisPoints) return 0n;
  return (amount * (basisPoints - slippage) + basisPoints - 1n) / basisPoints;
}

function more(amount: bigint, slippage: bigint): bigint {
  return (amount * (basisPoints + slippage)) / basisPoints;
}

function largest(...amounts: readonly bigint[]): bigint {
  return [...amounts].sort(ascending).at(-1) ?? 0n;
}

function ascending(a: bigint, b: bigint): number {
  return Number(a > b) - Number(a < b);
}
