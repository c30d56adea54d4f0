import type { TradeType } from "../../../src/schema/quote/tradeType.ts";
import type { LocalCurrency } from "../../chains/Chain.ts";
import { insufficientLiquidity, QuoteError } from "../../errors/refusals.ts";
import {
  amountWorth,
  basisPoints,
  divide,
  exchangeAmount,
  type Rounding,
  type Usd,
  unitsPerToken,
  usdOf,
  usdOfMicros,
} from "../../money/prices.ts";
import { isSwap, legInput, legOutput, type SwapLeg } from "../../router/SwapLeg.ts";
import {
  type Allotment,
  allotSponsorship,
  noFees,
  type SponsorshipTerms,
} from "../sponsorship/allotSponsorship.ts";
import type { AskedSponsorship } from "../sponsorship/readSponsorship.ts";

/** Input of {@link computeAmounts}. */
export type AmountsInput = {
  readonly tradeType: TradeType;
  /** Smallest units of the input or the output, as `tradeType` says. */
  readonly amount: bigint;
  /** From the user's payment to the deposit, of which the fees are taken. */
  readonly origin: SwapLeg;
  /** From the solver's inventory to the recipient's output, on the destination chain. */
  readonly destination: SwapLeg;
  /** Fee for the fill; zero for a same-chain transaction of the user. */
  readonly executionFee: Usd;
  /** Worth of native currency that the fill delivers besides the output. @default 0n */
  readonly topup?: Usd | undefined;
  readonly serviceFeeBps: bigint;
  /** Integrators' shares. */
  readonly appFeesBps: readonly bigint[];
  readonly slippageBps: bigint;
  /** Terms on which a sponsor pays fees; without them the user pays all. */
  readonly sponsorship?: SponsorshipTerms | undefined;
};

/**
 * Amounts of a quote. The deposit and the sponsored amount are exactly the sum of `netIn`, `relayerGas`, `topup`,
 * `relayerService` and all `appFees`.
 */
export type Amounts = {
  /** The user's payment; before a pool, an exact output pays the slippage too, and gets back what it leaves. */
  readonly amountIn: bigint;
  /** Part of `amountIn` that the origin leg takes at the quoted price. */
  readonly expectedIn: bigint;
  /** Output of the origin leg. */
  readonly deposit: bigint;
  /** Minimum output of the origin leg. For an exact output it is the deposit: the solver covers no shortfall. */
  readonly minimumDeposit: bigint;
  /** Part of the deposit that becomes the output, in the deposit's currency. */
  readonly netIn: bigint;
  /** Execution fee, in the deposit's currency. */
  readonly relayerGas: bigint;
  /** Gas of the fill that a fixed rate's spread pays for, in the deposit's currency; absent where a fee pays for all. */
  readonly gasOfSpread?: bigint | undefined;
  /** Price of the gas top-up, in the deposit's currency; absent without one. */
  readonly topup?: bigint | undefined;
  /** The service's fee, in the deposit's currency. */
  readonly relayerService: bigint;
  /** App fees in the deposit's currency, in the order of the input. */
  readonly appFees: readonly bigint[];
  /** The sponsor's part of the fees; `undefined` without a sponsor. */
  readonly allotment?: Allotment | undefined;
  /** Input of the destination leg. With a fixed output the fill may spend less. */
  readonly inventory: bigint;
  /** Maximum input of the destination leg for a fixed output. */
  readonly maximumInventory: bigint;
  readonly amountOut: bigint;
  readonly minimumOut: bigint;
};

/**
 * Exact arithmetic of a quote. Fees are shares of the deposit. Each rounding favours the solver, by less than one
 * smallest unit per fee and pool. App fees are rounded down.
 */
export function computeAmounts(input: AmountsInput): Amounts {
  return input.tradeType === "EXACT_INPUT" ? fromInput(input) : fromOutput(input);
}

function fromInput(input: AmountsInput): Amounts {
  const { destination, origin } = input;
  const deposit = legOutput(origin, input.amount);
  const { fixed, ...paidFirst } = fixedFees(input);
  const fees = computeFees(input, deposit, fixed);
  const { allotment, appFees, relayerService } = fees;
  const netIn = deposit - fees.paid;
  const inventory = netIn <= 0n ? 0n : inInventory(netIn, origin.to, destination.from, "down");
  const amountOut = legOutput(destination, inventory);
  // A sponsor who pays for the swap gives an output even to a deposit of zero.
  if (amountOut === 0n || deposit === 0n)
    throw new QuoteError("AMOUNT_TOO_LOW", "Amount is too low to cover the fees");
  return {
    amountIn: input.amount,
    amountOut,
    ...(allotment && { allotment }),
    appFees,
    deposit,
    expectedIn: input.amount,
    inventory,
    maximumInventory: inventory,
    minimumDeposit: isSwap(origin) ? leastDeposit({ deposit, netIn, ...paidFirst }, input) : deposit,
    minimumOut: lessSlippage(amountOut, input),
    netIn,
    ...paidFirst,
    relayerService,
  };
}

function fromOutput(input: AmountsInput): Amounts {
  const { amount: amountOut, destination, origin } = input;
  const inventory = required(legInput(destination, amountOut));
  const netIn = inInventory(inventory, destination.from, origin.to, "up");
  const { fixed, ...paidFirst } = fixedFees(input);
  const { deposit, expectedIn, fees } = leastInput(input, netIn, fixed);
  const { allotment, appFees, relayerService } = fees;
  const isExact = input.tradeType === "EXACT_OUTPUT";
  const expectedOut = isExact ? amountOut : legOutput(destination, inventory);
  return {
    amountIn: isExact && isSwap(origin) ? moreSlippage(expectedIn, input) : expectedIn,
    amountOut: expectedOut,
    ...(allotment && { allotment }),
    appFees,
    deposit,
    expectedIn,
    inventory,
    maximumInventory: isSwap(destination) ? mostInventory(inventory, relayerService, input) : inventory,
    minimumDeposit:
      isSwap(origin) && !isExact ? leastDeposit({ deposit, netIn, ...paidFirst }, input) : deposit,
    minimumOut: isExact ? amountOut : lessSlippage(expectedOut, input),
    netIn,
    ...paidFirst,
    relayerService,
  };
}

/** Fees that do not depend on the deposit, in its currency. */
function fixedFees({ executionFee, origin, topup = 0n }: AmountsInput) {
  const relayerGas = amountWorth(executionFee, origin.to, "up");
  const units = amountWorth(topup, origin.to, "up");
  return { fixed: relayerGas + units, relayerGas, ...(units > 0n && { topup: units }) };
}

type Fees = Pick<Amounts, "allotment" | "appFees" | "relayerService"> & {
  /** The user's part. */
  readonly paid: bigint;
};

function computeFees(input: AmountsInput, deposit: bigint, fixed: bigint, rest = 0n): Fees {
  const { appFeesBps, serviceFeeBps, sponsorship } = input;
  const relay = divide(deposit * serviceFeeBps, basisPoints, "up");
  const appFees = splitShares(deposit, appFeesBps);
  const totals = { ...noFees, app: sum(appFees), execution: fixed, relay };
  const allotted = sponsorship && allotSponsorship(sponsorship, { ...totals, swap: sponsorship.swapCost });
  const relayerService = relay + rest;
  return {
    allotment: allotted && { ...allotted, totals: { ...allotted.totals, relay: relayerService } },
    appFees,
    paid: fixed + relayerService + totals.app - (allotted?.total ?? 0n),
    relayerService,
  };
}

/** The smallest deposit that covers `netIn` and the user's part of the fees, and its input: a variable output spends all of it. */
function leastInput(input: AmountsInput, netIn: bigint, fixed: bigint) {
  const { origin } = input;
  for (const least of leastDeposits(input, netIn, fixed)) {
    const expectedIn = required(legInput(origin, least));
    const deposit = input.tradeType === "EXACT_OUTPUT" ? least : legOutput(origin, expectedIn);
    const rest = deposit - netIn - computeFees(input, deposit, fixed).paid;
    // Rounding may leave one unit; the solver keeps it.
    if (rest >= 0n) return { deposit, expectedIn, fees: computeFees(input, deposit, fixed, rest) };
  }
  throw new QuoteError("AMOUNT_TOO_LOW", "The fees take all of the input");
}

/** The least deposits of a fixed output: with all selected fees sponsored, then with the sponsor's cap reached. */
function leastDeposits(input: AmountsInput, netIn: bigint, fixed: bigint): readonly bigint[] {
  const { appFeesBps, serviceFeeBps, sponsorship } = input;
  const components = sponsorship?.components ?? new Set();
  const sponsored =
    (components.has("execution") ? fixed : 0n) +
    (components.has("swap") ? (sponsorship?.swapCost ?? 0n) : 0n);
  const serviceBps = components.has("relay") ? 0n : serviceFeeBps;
  const appBps = components.has("app") ? 0n : sum(appFeesBps);
  const uncapped = [netIn + fixed - sponsored, serviceBps + appBps] as const;
  const capped = [netIn + fixed - (sponsorship?.cap ?? 0n), serviceFeeBps + sum(appFeesBps)] as const;
  return (sponsorship?.cap === undefined ? [uncapped] : [uncapped, capped])
    .filter(([sum, bps]) => sum > 0n && bps < basisPoints)
    .map(([sum, bps]) => divide(sum * basisPoints, basisPoints - bps, "up"));
}

function lessSlippage(amount: bigint, { slippageBps }: Pick<AmountsInput, "slippageBps">): bigint {
  return divide(amount * (basisPoints - slippageBps), basisPoints, "up");
}

function moreSlippage(amount: bigint, { slippageBps }: Pick<AmountsInput, "slippageBps">): bigint {
  return (amount * (basisPoints + slippageBps)) / basisPoints;
}

/** The least deposit whose output is within the slippage: the gas takes the same from any deposit. */
function leastDeposit(
  { deposit, netIn, relayerGas }: Pick<Amounts, "deposit" | "netIn" | "relayerGas">,
  input: AmountsInput,
): bigint {
  if (netIn <= 0n) return lessSlippage(deposit, input);
  const needed = lessSlippage(netIn, input) + relayerGas + 2n;
  const least = divide(deposit * needed, netIn + relayerGas, "up");
  return smaller(least, deposit);
}

/** A pool that moves takes the service's fee at most, and no more than the slippage: the deposit has paid for all of it. */
function mostInventory(inventory: bigint, fee: bigint, input: AmountsInput): bigint {
  const provided = inventory + inInventory(fee, input.origin.to, input.destination.from, "down");
  return smaller(moreSlippage(inventory, input), provided);
}

/** App fees of a deposit, each rounded down. */
export function splitShares(amount: bigint, shares: readonly bigint[]): readonly bigint[] {
  return shares.map((bps) => (amount * bps) / basisPoints);
}

/** Rescales an amount to the decimals that its currency has on another chain. */
export function inInventory(
  amount: bigint,
  from: LocalCurrency,
  to: LocalCurrency,
  rounding: Rounding,
): bigint {
  if (from.symbol !== to.symbol) return exchangeAmount(amount, from, to, rounding);
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

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

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
  try {
    const { amountOut, deposit, expectedIn, netIn } = computeAmounts(input);
    const lost =
      usdOf(expectedIn, origin.from) - usdOf(amountOut, destination.to) - usdOf(deposit - netIn, origin.to);
    return lost <= 0n ? 0n : amountWorth(lost, origin.to, "down");
  } catch (error) {
    // A quote that only its sponsor makes possible has no price without it.
    if (error instanceof QuoteError && error.errorCode === "AMOUNT_TOO_LOW") return 0n;
    throw error;
  }
}
