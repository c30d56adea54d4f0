import type { TradeType } from "../../../src/schema/tradeType.ts";
import type { LocalCurrency } from "../../chains/Chain.ts";
import { insufficientLiquidity, QuoteError } from "../../errors/QuoteError.ts";
import { amountWorth, divide, type Rounding, type Usd, unitsPerToken } from "../../money/prices.ts";
import { basisPoints } from "../../money/serviceTerms.ts";
import { isSwap, legInput, legOutput, type SwapLeg } from "../../router/SwapLeg.ts";

/** What to exchange. */
export type AmountsInput = {
  readonly tradeType: TradeType;
  /** Smallest units of the input or the output, as `tradeType` says. */
  readonly amount: bigint;
  /** From what the user pays to what the service takes its fees of: the deposit. */
  readonly origin: SwapLeg;
  /** From what is left of it, on the destination chain, to what the recipient gets. */
  readonly destination: SwapLeg;
  /** For making the fill; nothing when the user's own transaction does everything. */
  readonly executionFee: Usd;
  readonly serviceFeeBps: bigint;
  /** What integrators take, one share each. */
  readonly appFeesBps: readonly bigint[];
  readonly slippageBps: bigint;
};

/** What comes of it. The deposit is `netIn`, `relayerGas`, `relayerService` and all `appFees` together, to the unit. */
export type Amounts = {
  /** What the user pays. */
  readonly amountIn: bigint;
  /** What comes out of the origin leg. */
  readonly deposit: bigint;
  /** The least that may come out of it. */
  readonly minimumDeposit: bigint;
  /** What is exchanged for the output, in the deposit's currency. */
  readonly netIn: bigint;
  /** Execution fee, in the deposit's currency. */
  readonly relayerGas: bigint;
  /** The service's fee, in the deposit's currency. */
  readonly relayerService: bigint;
  /** In the deposit's currency and the order of the input. */
  readonly appFees: readonly bigint[];
  /** What goes into the destination leg; the output follows from it unless it is fixed, when it may be less. */
  readonly inventory: bigint;
  /** The most that may go into it for a fixed output. */
  readonly maximumInventory: bigint;
  readonly amountOut: bigint;
  readonly minimumOut: bigint;
};

/**
 * Exact arithmetic of a quote. Fees are shares of the deposit. Every rounding favours the solver, by less than one smallest
 * unit for each fee and each pool; what an app gets is rounded down.
 *
 * @throws QuoteError `AMOUNT_TOO_LOW` when the input does not cover the fees, or nothing would come out;
 * `INSUFFICIENT_LIQUIDITY` when a pool does not hold the output.
 */
export function computeAmounts(input: AmountsInput): Amounts {
  return input.tradeType === "EXACT_INPUT" ? fromInput(input) : fromOutput(input);
}

function fromInput(input: AmountsInput): Amounts {
  const { destination, origin } = input;
  const deposit = legOutput(origin, input.amount);
  const relayerGas = amountWorth(input.executionFee, origin.to, "up");
  const relayerService = divide(deposit * input.serviceFeeBps, basisPoints, "up");
  const appFees = sharesOf(deposit, input.appFeesBps);
  const netIn = deposit - relayerGas - relayerService - sum(appFees);
  const inventory = netIn <= 0n ? 0n : rescale(netIn, origin.to, destination.from, "down");
  const amountOut = legOutput(destination, inventory);
  if (amountOut === 0n) throw new QuoteError("AMOUNT_TOO_LOW", "Amount is too low to cover the fees");
  return {
    amountIn: input.amount,
    amountOut,
    appFees,
    deposit,
    inventory,
    maximumInventory: inventory,
    minimumDeposit: isSwap(origin) ? lessSlippage(deposit, input) : deposit,
    minimumOut: lessSlippage(amountOut, input),
    netIn,
    relayerGas,
    relayerService,
  };
}

function fromOutput(input: AmountsInput): Amounts {
  const { amount: amountOut, destination, origin, slippageBps } = input;
  const inventory = required(legInput(destination, amountOut));
  const netIn = rescale(inventory, destination.from, origin.to, "up");
  const relayerGas = amountWorth(input.executionFee, origin.to, "up");
  const left = basisPoints - input.serviceFeeBps - sum(input.appFeesBps);
  if (left <= 0n) throw new QuoteError("AMOUNT_TOO_LOW", "The fees take all of the input");
  const amountIn = required(legInput(origin, divide((netIn + relayerGas) * basisPoints, left, "up")));
  // A pool gives up to a unit more than was asked of it: the service has that.
  const deposit = legOutput(origin, amountIn);
  const appFees = sharesOf(deposit, input.appFeesBps);
  const isExact = input.tradeType === "EXACT_OUTPUT";
  const expectedOut = isExact ? amountOut : legOutput(destination, inventory);
  return {
    amountIn,
    amountOut: expectedOut,
    appFees,
    deposit,
    inventory,
    maximumInventory: isSwap(destination)
      ? (inventory * (basisPoints + slippageBps)) / basisPoints
      : inventory,
    minimumDeposit: isSwap(origin) ? lessSlippage(deposit, input) : deposit,
    minimumOut: isExact ? amountOut : lessSlippage(expectedOut, input),
    netIn,
    relayerGas,
    relayerService: deposit - netIn - relayerGas - sum(appFees),
  };
}

function lessSlippage(amount: bigint, { slippageBps }: Pick<AmountsInput, "slippageBps">): bigint {
  return divide(amount * (basisPoints - slippageBps), basisPoints, "up");
}

function sharesOf(amount: bigint, shares: readonly bigint[]): readonly bigint[] {
  return shares.map((bps) => (amount * bps) / basisPoints);
}

/** The same amount of the same currency on another chain, which may count it in other units. */
function rescale(amount: bigint, from: LocalCurrency, to: LocalCurrency, rounding: Rounding): bigint {
  return from.decimals === to.decimals
    ? amount
    : divide(amount * unitsPerToken(to), unitsPerToken(from), rounding);
}

function required(amount: bigint | undefined): bigint {
  if (amount === undefined) {
    throw insufficientLiquidity("a pool does not hold that much");
  }
  return amount;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
