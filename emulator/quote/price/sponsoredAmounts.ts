import { QuoteError } from "../../errors/refusals.ts";
import { amountWorth, usdOf, usdOfMicros } from "../../money/prices.ts";
import { isSwap } from "../../router/SwapLeg.ts";
import { type Amounts, type AmountsInput, computeAmounts } from "../route/computeAmounts.ts";
import type { AskedSponsorship } from "../sponsorship/readSponsorship.ts";

/** The amounts of a quote, with the fees that a sponsor pays. */
export function sponsoredAmounts(input: AmountsInput, asked: AskedSponsorship | undefined): Amounts {
  if (asked === undefined) return computeAmounts(input);
  const { cap, components, isWhole } = asked;
  const deposited = input.origin.to;
  const sponsorship = {
    cap: cap === undefined ? undefined : amountWorth(usdOfMicros(cap), deposited, "down"),
    components,
    isWhole,
    swapCost: swapCost(input),
  };
  return computeAmounts({ ...input, sponsorship });
}

/** Loss in pools of the same quote without a sponsor, in the deposit's currency; zero for a gain. */
function swapCost(input: AmountsInput): bigint {
  const { destination, origin } = input;
  if (!isSwap(origin) && !isSwap(destination)) return 0n;
  const amounts = unlessTooLow(() => computeAmounts(input));
  if (amounts === undefined) return 0n;
  const { amountOut, deposit, expectedIn, netIn } = amounts;
  const lost =
    usdOf(expectedIn, origin.from) - usdOf(amountOut, destination.to) - usdOf(deposit - netIn, origin.to);
  return lost <= 0n ? 0n : amountWorth(lost, origin.to, "down");
}

/** A quote that only its sponsor makes possible has no price without it. */
function unlessTooLow(amounts: () => Amounts): Amounts | undefined {
  try {
    return amounts();
  } catch (error) {
    if (error instanceof QuoteError && error.errorCode === "AMOUNT_TOO_LOW") return undefined;
    throw error;
  }
}
