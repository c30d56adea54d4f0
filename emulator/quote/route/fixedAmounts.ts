import type { LocalCurrency } from "../../chains/Chain.ts";
import { insufficientLiquidity, QuoteError } from "../../errors/refusals.ts";
import {
  amountWorth,
  basisPoints,
  convertAmount,
  divide,
  unitsPerToken,
  usdOfMicros,
} from "../../money/prices.ts";
import { isLeg, isSwap, legInput, type SwapLeg } from "../../router/SwapLeg.ts";
import { allotSponsorship, noFees } from "../sponsorship/allotSponsorship.ts";
import type { AskedSponsorship } from "../sponsorship/readSponsorship.ts";
import { type Amounts, type AmountsInput, inInventory, splitShares } from "./computeAmounts.ts";

/** Most that the service pays for a pool above the oracle's price, in basis points of what it is paid. */
const mostLossBps = 100n;

type FixedInput = Pick<
  AmountsInput,
  "amount" | "appFeesBps" | "destination" | "executionFee" | "origin" | "tradeType"
> & {
  /** Basis points below the oracle's price. */
  readonly spread: bigint;
};

/**
 * Amounts of a quote at the oracle's price less a spread, app fees and the execution fee. The service earns or loses
 * the difference to the pools' price. It spends at most what is left of the deposit and {@link mostLossBps} on a pool,
 * at the quote and at the fill. Rounded in the solver's favour.
 */
export function fixedAmounts(input: FixedInput): Amounts {
  const { appFeesBps, destination, origin } = input;
  assertUnswapped(origin);
  const relayerGas = amountWorth(input.executionFee, origin.to, "up");
  const priced = { ...input, relayerGas };
  const { amountOut, deposit } = input.tradeType === "EXACT_INPUT" ? fromInput(priced) : fromOutput(priced);
  if (amountOut === 0n) throw new QuoteError("AMOUNT_TOO_LOW", "Amount is too low for any output");
  const inventory = legInput(destination, amountOut);
  if (inventory === undefined) throw insufficientLiquidity("a pool does not hold that much");
  const netIn = inInventory(inventory, destination.from, origin.to, "up");
  const appFees = splitShares(deposit, appFeesBps);
  const left = appFees.reduce((rest, fee) => rest - fee, deposit - relayerGas);
  const mostSpent = (left * (basisPoints + mostLossBps)) / basisPoints;
  const most = inInventory(mostSpent, origin.to, destination.from, "down");
  if (isSwap(destination) && inventory > most) {
    throw new QuoteError(
      "SWAP_IMPACT_TOO_HIGH",
      `The pool is more than ${mostLossBps} basis points dearer than the oracle's price: \`fixedRate\` covers no more`,
    );
  }
  return {
    amountIn: deposit,
    amountOut,
    appFees,
    deposit,
    expectedIn: deposit,
    inventory,
    maximumInventory: isSwap(destination) ? most : inventory,
    minimumDeposit: deposit,
    minimumOut: amountOut,
    netIn,
    relayerGas,
    relayerService: left - netIn,
  };
}

/** Units of the output for units of the input, both of one token. */
export type Ratio = { readonly in: bigint; readonly out: bigint };

type RatedInput = Pick<
  AmountsInput,
  "amount" | "appFeesBps" | "destination" | "executionFee" | "origin" | "serviceFeeBps" | "tradeType"
> & { readonly ratio: Ratio };

/**
 * Amounts of a quote at a rate that its sponsor guarantees. The sponsor pays what the pool and all fees cost more than the
 * deposit; the service keeps what they cost less. On a pool it spends at most {@link mostLossBps} more than quoted.
 */
export function ratedAmounts(input: RatedInput, asked: AskedSponsorship | undefined): Amounts {
  const { appFeesBps, destination, origin, ratio } = input;
  assertUnswapped(origin);
  const [taken, given] = [ratio.in * unitsPerToken(origin.to), ratio.out * unitsPerToken(destination.to)];
  const isInput = input.tradeType === "EXACT_INPUT";
  const deposit = isInput ? input.amount : divide(input.amount * taken, given, "up");
  const amountOut = isInput ? (input.amount * given) / taken : input.amount;
  if (amountOut === 0n) throw new QuoteError("AMOUNT_TOO_LOW", "Amount is too low for any output");
  const inventory = legInput(destination, amountOut);
  if (inventory === undefined) throw insufficientLiquidity("a pool does not hold that much");
  const netIn = inInventory(inventory, destination.from, origin.to, "up");
  const relayerGas = amountWorth(input.executionFee, origin.to, "up");
  const relay = divide(deposit * input.serviceFeeBps, basisPoints, "up");
  const appFees = splitShares(deposit, appFeesBps);
  const app = appFees.reduce((sum, fee) => sum + fee, 0n);
  const cost = netIn + relayerGas + relay + app;
  const swap = netIn > deposit ? netIn - deposit : 0n;
  const terms = { cap: undefined, components: asked?.components ?? new Set<never>(), swapCost: swap };
  const totals = { ...noFees, app, execution: relayerGas, relay, swap };
  const allotment = allotSponsorship({ ...terms, cap: cost > deposit ? cost - deposit : 0n }, totals);
  const cap = asked?.cap === undefined ? undefined : amountWorth(usdOfMicros(asked.cap), origin.to, "down");
  if (cap !== undefined && allotment.total > cap) {
    throw new QuoteError(
      "UNSUPPORTED_EXECUTION_TYPE",
      "`fixedRate` costs the sponsor more than `maxSubsidizationAmount`",
    );
  }
  const most = inInventory(
    (netIn * (basisPoints + mostLossBps)) / basisPoints,
    origin.to,
    destination.from,
    "down",
  );
  return {
    allotment: { ...allotment, capHit: false },
    amountIn: deposit,
    amountOut,
    appFees,
    deposit,
    expectedIn: deposit,
    inventory,
    maximumInventory: isSwap(destination) ? most : inventory,
    minimumDeposit: deposit,
    minimumOut: amountOut,
    netIn,
    relayerGas,
    relayerService: deposit + allotment.total - netIn - relayerGas - app,
  };
}

function assertUnswapped(origin: SwapLeg): void {
  if (!isLeg(origin)) return;
  throw new QuoteError(
    "UNSUPPORTED_EXECUTION_TYPE",
    "`fixedRate` needs an input that the solver takes unswapped",
  );
}

/** With the execution fee in the deposit's currency. */
type PricedInput = FixedInput & { readonly relayerGas: bigint };

function fromInput({ amount: deposit, appFeesBps, destination, origin, relayerGas, spread }: PricedInput) {
  const left = splitShares(deposit, appFeesBps).reduce((rest, fee) => rest - fee, deposit - relayerGas);
  if (left <= 0n) return { amountOut: 0n, deposit };
  const kept = (left * (basisPoints - spread)) / basisPoints;
  return { amountOut: convertAmount(kept, origin.to, destination.to), deposit };
}

function fromOutput({ amount: amountOut, appFeesBps, destination, origin, relayerGas, spread }: PricedInput) {
  const left = appFeesBps.reduce((rest, bps) => rest - bps, basisPoints);
  if (left <= 0n) throw new QuoteError("AMOUNT_TOO_LOW", "The fees take all of the input");
  const kept = convertUp(amountOut, destination.to, origin.to);
  const paid = divide(kept * basisPoints, basisPoints - spread, "up") + relayerGas;
  const deposit = divide(paid * basisPoints, left, "up");
  return { amountOut, deposit };
}

/** Converts by price, rounded up: the least amount that is worth as much. */
function convertUp(amount: bigint, from: LocalCurrency, to: LocalCurrency): bigint {
  const down = convertAmount(amount, from, to);
  return convertAmount(down, to, from) < amount ? down + 1n : down;
}
