import { zeroAddress } from "viem";
import { unitsToDecimal } from "../../../src/internal/amounts.ts";
import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";
import type { TradeType } from "../../../src/schema/quote/tradeType.ts";
import type { LocalCurrency } from "../../chains/Chain.ts";
import type { Context, ControlHooks } from "../../context/Context.ts";
import { balanceAt, isEvmChain, type Place, placesOf, solverAt } from "../../context/places.ts";
import { isWrappedNative } from "../../currencies/currencyId.ts";
import { insufficientLiquidity, QuoteError } from "../../errors/refusals.ts";
import { amountWorth, flatFee, oneUsd, type Usd, usdOf } from "../../money/prices.ts";
import type { PermitWay } from "../../requests/Intent.ts";
import { authorizationRefusal } from "../../router/authorizationRefusal.ts";
import { isLeg, isSwap } from "../../router/SwapLeg.ts";
import { choosePermitWay } from "../permits/tokenDomain.ts";
import { type ReadIntent, readIntent } from "../request/readIntent.ts";
import { type Amounts, computeAmounts, sponsoredAmounts } from "../route/computeAmounts.ts";
import { fixedAmounts, type Ratio, ratedAmounts } from "../route/fixedAmounts.ts";
import { type PricedIntent, type PricedRoute, planRoute, type Route } from "../route/planRoute.ts";
import type { AskedSponsorship } from "../sponsorship/readSponsorship.ts";
import { fillCost, simulateSameChain, topupAmount } from "./fillCost.ts";
import { assertSweepable, gaslessCost, sweepCost } from "./paymentCost.ts";
import { computeImpacts, quoteDetails, quoteFees } from "./quoteDetails.ts";

/** Minimum worth of a same-chain swap. */
const leastSwap: Usd = oneUsd / 20n;
/** Largest loss of a swap in percent of its input, unless the request overrides it. */
const mostSwapLoss = 15n;

/** Prices an intent for a quote or a price. Stores nothing. */
export async function priceIntent(
  request: QuoteRequest,
  context: Pick<Context, "accounts" | "chains" | "control" | "exchange" | "quoting">,
  sponsorship?: AskedSponsorship,
): Promise<PricedIntent<Place>> {
  const { routerVersion } = context.quoting;
  const read = readIntent(request, placesOf(context), context.control.config.get().lenient);
  assertChainsEnabled(read, request.tradeType, context.control.health);
  const route = await planRoute(read);
  await assertAuthorizations(read);
  assertUnrouted(read, route);
  await assertSweepable(read, route, context);
  const permit = await choosePermit(read, route);
  const [amounts, userBalance] = await Promise.all([
    priceAmounts({ permit, read, route, sponsorship }, context),
    balanceAt(read.origin, read.currencyIn.address, read.user),
  ]);
  assertWorthwhile(read, route, amounts);
  const priced = { amounts, permit, read, route, routerVersion, sponsorship };
  const sameChainGas =
    route.via === "self" && hasEvmOrigin(priced)
      ? await simulateSameChain(priced, context.accounts.solver.account.address)
      : 0n;
  if (read.depositGasLimit !== undefined && sameChainGas > BigInt(read.depositGasLimit)) {
    throw new QuoteError("DESTINATION_TX_FAILED", "Destination transaction failed", {
      errorData: `The transaction takes ${sameChainGas} gas, and \`gasLimitForDepositSpecifiedTxs\` is ${read.depositGasLimit}`,
    });
  }
  return { ...priced, details: quoteDetails(priced, userBalance), fees: quoteFees(priced), sameChainGas };
}

/** @throws QuoteError `INVALID_EXTRA_TXS` for authorizations that the chain would skip. */
async function assertAuthorizations(read: ReadIntent<Place>): Promise<void> {
  const { authorizationList, destination } = read;
  if (authorizationList.length === 0 || !isEvmChain(destination)) return;
  const refusal = await authorizationRefusal(read, destination);
  if (refusal !== undefined) throw new QuoteError("INVALID_EXTRA_TXS", refusal.details);
}

/** Whether a request starts on an EVM chain. */
export function hasEvmOrigin<Priced extends PricedRoute<Place>>(
  priced: Priced,
): priced is Priced & PricedRoute {
  return isEvmChain(priced.read.origin);
}

async function priceAmounts(
  {
    permit,
    read,
    route,
    sponsorship,
  }: Pick<PricedIntent<Place>, "permit" | "read" | "route" | "sponsorship">,
  { accounts, quoting }: Pick<Context, "accounts" | "quoting">,
): Promise<Amounts> {
  const input = {
    ...read,
    appFeesBps: read.appFees.map(({ bps }) => bps),
    destination: route.destination,
    executionFee: 0n,
    origin: route.origin,
    serviceFeeBps: serviceFeeBps(read),
  };
  if (route.via === "self") {
    const executionFee = gaslessCost({ permit, read }, route.destination);
    const amounts = computeAmounts({ ...input, executionFee });
    // Without a pool the output cannot vary.
    return isSwap(route.destination) ? amounts : { ...amounts, minimumOut: amounts.amountOut };
  }
  const solver = accounts.solver.account.address;
  const { fixedRate } = read;
  const spread = fixedRate && "spread" in fixedRate ? fixedRate.spread : undefined;
  const marketAmounts = (executionFee: bigint) =>
    fixedRate && "ratio" in fixedRate
      ? ratedAmounts({ ...input, executionFee, ratio: stableRatio(read, fixedRate.ratio) }, sponsorship)
      : sponsoredAmounts({ ...input, executionFee }, sponsorship);
  const withoutGas = spread === undefined ? marketAmounts(0n) : fixedAmounts({ ...input, spread });
  const payer = solverAt(read.destination, accounts);
  await assertLiquidity(read, route, withoutGas, payer, quoting.capacityPerRequest);
  const { routerVersion } = quoting;
  const fill = await fillCost(read, route.destination, withoutGas, { routerVersion, solver });
  const depositCost =
    read.depositAddress === undefined ? gaslessCost({ permit, read }, route.origin) : sweepCost(read.origin);
  if (spread !== undefined) {
    // The spread pays for a plain fill. Everything else costs what the client chooses.
    const executionFee = depositCost + (fill.isPlain ? 0n : fill.cost);
    const gasOfSpread = fill.isPlain ? amountWorth(fill.cost, route.origin.to, "up") : 0n;
    if (executionFee === 0n) return { ...withoutGas, gasOfSpread };
    const amounts = fixedAmounts({ ...input, executionFee, spread });
    await fill.confirm(amounts);
    return { ...amounts, gasOfSpread };
  }
  const executionFee = flatFee + fill.cost + depositCost;
  const amounts = marketAmounts(executionFee);
  await fill.confirm(amounts);
  return amounts;
}

/** A same-chain request has one transaction, which ERC-2612 cannot save: Permit2 is used instead. */
async function choosePermit(
  { currencyIn, origin, usePermit }: ReadIntent<Place>,
  route: Route,
): Promise<PermitWay | undefined> {
  if (!usePermit || !isEvmChain(origin)) return undefined;
  const way = await choosePermitWay(origin, currencyIn.address);
  return way === "permit" && route.via === "self" ? "permit2" : way;
}

/** Version 1 of the protocol has no router before the deposit. */
function assertUnrouted({ protocolVersion }: ReadIntent<Place>, route: Route): void {
  if (protocolVersion === "v1" && route.via !== "self" && isLeg(route.origin)) {
    const message = "`protocolVersion` v1 takes currencies that the solver takes without a swap";
    throw new QuoteError("UNSUPPORTED_EXECUTION_TYPE", message);
  }
}

async function assertLiquidity(
  read: ReadIntent<Place>,
  route: Route,
  { maximumInventory }: Amounts,
  solver: `0x${string}`,
  capacityPerRequest: Usd,
): Promise<void> {
  const { destination, useExternalLiquidity } = read;
  const inventory = route.destination.from;
  if ((await balanceAt(destination, inventory.address, solver)) < maximumInventory) {
    throw insufficientLiquidity(`the solver does not hold that much ${inventory.symbol}`);
  }
  const topup = topupAmount(read);
  if (topup > 0n && (await balanceAt(destination, zeroAddress, solver)) < topup) {
    throw insufficientLiquidity("the solver does not hold the gas top-up");
  }
  if (!useExternalLiquidity && usdOf(maximumInventory, inventory) > capacityPerRequest) {
    throw insufficientLiquidity(
      "the solver does not lend that much to one request without external liquidity",
    );
  }
}

function assertWorthwhile(read: ReadIntent<Place>, route: Route, amounts: Amounts): void {
  const paid = usdOf(amounts.expectedIn, read.currencyIn);
  if (read.kind === "Same-chain Swap" && paid < leastSwap) {
    throw new QuoteError("AMOUNT_TOO_LOW", "A swap must be worth at least 0.05 dollars");
  }
  const { swap } = computeImpacts({ amounts, read, route });
  if (!read.overridePriceImpact && swap * 100n < -mostSwapLoss * paid) {
    throw new QuoteError(
      "SWAP_IMPACT_TOO_HIGH",
      `The swap would lose more than ${mostSwapLoss} percent; \`overridePriceImpact\` allows it`,
    );
  }
}

const stable: ReadonlySet<string> = new Set(["USDC", "USDT"]);

/** A rate is for stable currencies (page "Price Stabilization"). */
function stableRatio({ currencyIn, currencyOut }: ReadIntent<Place>, ratio: Ratio): Ratio {
  if (stable.has(currencyIn.symbol) && stable.has(currencyOut.symbol)) return ratio;
  throw new QuoteError(
    "UNSUPPORTED_EXECUTION_TYPE",
    "`fixedRate` of input to output is for stable currencies",
  );
}

/**
 * The service's fee in basis points: 0 for the same asset on both sides, 1 between stable currencies, else 6. Wrapped native
 * currency counts as native.
 */
export function serviceFeeBps({
  currencyIn,
  currencyOut,
  destination,
  origin,
}: Pick<ReadIntent<Place>, "currencyIn" | "currencyOut" | "destination" | "origin">): bigint {
  const paid = nameAsset(origin, currencyIn);
  const received = nameAsset(destination, currencyOut);
  if (paid === received) return 0n;
  return stable.has(paid) && stable.has(received) ? 1n : 6n;
}

function nameAsset(chain: Place, currency: LocalCurrency): string {
  return isWrappedNative(chain, currency) ? chain.currencies[0].symbol : currency.symbol;
}

/** Refuses a request over a disabled chain, or above the limit of a partially disabled one. */
function assertChainsEnabled(
  { amount, currencyIn, currencyOut, destination, origin }: ReadIntent<Place>,
  tradeType: TradeType,
  health: ControlHooks["health"],
): void {
  for (const { currencies, definition } of [origin, destination]) {
    const { id } = definition;
    const { disabled, partialDisableLimit } = health.of(id);
    if (disabled) throw new QuoteError("CHAIN_DISABLED", `Chain ${id} is disabled`);
    if (partialDisableLimit === 0) continue;
    const [native] = currencies;
    const limit = BigInt(partialDisableLimit);
    const worth = usdOf(amount, tradeType === "EXACT_INPUT" ? currencyIn : currencyOut);
    if (worth > usdOf(limit, native)) {
      const most = `${unitsToDecimal(limit, native.decimals)} ${native.symbol}`;
      throw new QuoteError(
        "CHAIN_DISABLED",
        `Chain ${id} takes no requests that are worth more than ${most} at present`,
      );
    }
  }
}
