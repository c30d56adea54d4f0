import type { LocalCurrency } from "../../chains/Chain.ts";
import { insufficientLiquidity, QuoteError } from "../../errors/QuoteError.ts";
import { basisPoints, convertAmount, divide } from "../../money/prices.ts";
import { isLeg, isSwap, legInput } from "../../router/SwapLeg.ts";
import { type Amounts, type AmountsInput, inInventory, sharesOf } from "./computeAmounts.ts";

/** A pool may take this many times the quoted inventory before a fixed rate is refunded. */
const mostTimes = 2n;

/** Input of {@link fixedAmounts}. */
type FixedInput = Pick<AmountsInput, "amount" | "appFeesBps" | "destination" | "origin" | "tradeType"> & {
  /** Basis points below the oracle's price. */
  readonly spread: bigint;
};

/**
 * Amounts of a quote at the oracle's price less a spread, which is the only fee besides app fees. The service earns or loses
 * the difference to the pools' price. Rounded in the solver's favour.
 *
 * @throws QuoteError `UNSUPPORTED_EXECUTION_TYPE` if the user's transaction would swap, `AMOUNT_TOO_LOW` for no output,
 * `INSUFFICIENT_LIQUIDITY` when a pool does not hold the output.
 */
export function fixedAmounts(input: FixedInput): Amounts {
  const { appFeesBps, destination, origin } = input;
  if (isLeg(origin)) {
    throw new QuoteError(
      "UNSUPPORTED_EXECUTION_TYPE",
      "`fixedRate` needs an input that the solver takes unswapped",
    );
  }
  const { amountOut, deposit } = input.tradeType === "EXACT_INPUT" ? fromInput(input) : fromOutput(input);
  if (amountOut === 0n || deposit === 0n)
    throw new QuoteError("AMOUNT_TOO_LOW", "Amount is too low for any output");
  const inventory = legInput(destination, amountOut);
  if (inventory === undefined) throw insufficientLiquidity("a pool does not hold that much");
  const netIn = inInventory(inventory, destination.from, origin.to, "up");
  const appFees = sharesOf(deposit, appFeesBps);
  return {
    amountIn: deposit,
    amountOut,
    appFees,
    deposit,
    expectedIn: deposit,
    inventory,
    maximumInventory: isSwap(destination) ? inventory * mostTimes : inventory,
    minimumDeposit: deposit,
    minimumOut: amountOut,
    netIn,
    relayerGas: 0n,
    relayerService: appFees.reduce((left, fee) => left - fee, deposit - netIn),
  };
}

function fromInput({ amount: deposit, appFeesBps, destination, origin, spread }: FixedInput) {
  const left = sharesOf(deposit, appFeesBps).reduce((rest, fee) => rest - fee, deposit);
  const kept = (left * (basisPoints - spread)) / basisPoints;
  return { amountOut: convertAmount(kept, origin.to, destination.to), deposit };
}

function fromOutput({ amount: amountOut, appFeesBps, destination, origin, spread }: FixedInput) {
  const left = appFeesBps.reduce((rest, bps) => rest - bps, basisPoints);
  if (left <= 0n) throw new QuoteError("AMOUNT_TOO_LOW", "The fees take all of the input");
  const kept = convertUp(amountOut, destination.to, origin.to);
  const deposit = divide(divide(kept * basisPoints, basisPoints - spread, "up") * basisPoints, left, "up");
  return { amountOut, deposit };
}

/** Converts by price, rounded up: the least amount that is worth as much. */
function convertUp(amount: bigint, from: LocalCurrency, to: LocalCurrency): bigint {
  const down = convertAmount(amount, from, to);
  return convertAmount(down, to, from) < amount ? down + 1n : down;
}
