import { zeroAddress } from "viem";
import { exchangeChainId } from "../../../src/perps/constants.ts";
import type { QuoteDetails, QuoteFees } from "../../../src/schema/quote/quote.ts";
import { svmChainId } from "../../../src/svm/constants.ts";
import type { Chain, LocalCurrency, RouterVersion, ShownChain } from "../../chains/Chain.ts";
import { svmInventory } from "../../chains/svm/svmCurrencies.ts";
import { isEvmChain, isSvmChain, type Place } from "../../context/places.ts";
import { isWrappedNative } from "../../currencies/currencyId.ts";
import { QuoteError } from "../../errors/refusals.ts";
import { convertAmount } from "../../money/prices.ts";
import type { PermitWay } from "../../requests/Intent.ts";
import { findSvmLeg, findSwapLeg, noLeg, type SwapLeg } from "../../router/SwapLeg.ts";
import { swapSourceOf } from "../request/options.ts";
import type { ReadIntent } from "../request/readIntent.ts";
import type { AskedSponsorship } from "../sponsorship/readSponsorship.ts";
import type { Amounts } from "./computeAmounts.ts";

/** The route of a quote. */
export type Route = {
  /** `self`: the user's same-chain transaction does everything. `depository`: the solver fills on another chain. */
  readonly via: "depository" | "self";
  /** From the user's currency to the deposit's, before fees. */
  readonly origin: SwapLeg;
  /** From the currency after fees to the output's. */
  readonly destination: SwapLeg;
};

/**
 * Plans the route. The user's own transaction carries out a same-chain request, unless the solver must. Any other
 * request is deposited in the solver's currency nearest to the input, and filled on the destination chain.
 */
export async function planRoute(read: ReadIntent<Place>): Promise<Route> {
  const { currencyIn, currencyOut, destination, forceSolverExecution, origin, sources } = read;
  if (!isEvmChain(origin) || !isEvmChain(destination)) return betweenKinds(read);
  const maySwapOrigin = mayUse(origin, sources.origin);
  if (origin.definition.id === destination.definition.id && !forceSolverExecution) {
    const swap = await findSwapLeg(origin, currencyIn, currencyOut, maySwapOrigin);
    return { destination: swap ?? noRoute(), origin: noLeg(currencyIn), via: "self" };
  }
  const deposited = nearestSolverCurrency(origin, currencyIn);
  const inventory = sameCurrency(destination, deposited);
  return between(read, deposited, inventory);
}

/**
 * A route that the perps exchange or the SVM chain begins or ends. The solver takes and pays its own currencies there, without an
 * exchange for the same asset on the other side, and any other token by a swap.
 */
function betweenKinds(read: ReadIntent<Place>): Promise<Route> {
  const { currencyIn, currencyOut, destination, origin } = read;
  if (isEvmChain(origin)) {
    const inventory = nearestSolverCurrency(destination, currencyOut);
    return between(read, counterpart(origin, inventory, currencyIn), inventory);
  }
  const deposited = nearestSolverCurrency(origin, currencyIn);
  const inventory = isEvmChain(destination)
    ? counterpart(destination, deposited, currencyOut)
    : nearestSolverCurrency(destination, currencyOut);
  return between(read, deposited, inventory);
}

/** The route through a deposit in one currency and a payment of the solver in another. */
async function between(
  read: ReadIntent<Place>,
  deposited: LocalCurrency,
  inventory: LocalCurrency,
): Promise<Route> {
  const { currencyIn, currencyOut, destination, origin, sources } = read;
  const [first, last] = await Promise.all([
    findLeg(read, origin, [currencyIn, deposited], sources.origin),
    findLeg(read, destination, [inventory, currencyOut], sources.destination),
  ]);
  if (first === undefined) return noRoute();
  if (last === undefined) {
    throw new QuoteError("NO_INTERNAL_SWAP_ROUTES_FOUND", "No internal swap routes found");
  }
  return { destination: last, origin: first, via: "depository" };
}

async function findLeg(
  { amount, currencyIn, currencyOut, maxRouteLength, tradeType }: ReadIntent<Place>,
  place: Place,
  [from, to]: readonly [LocalCurrency, LocalCurrency],
  sources: readonly string[],
): Promise<SwapLeg | undefined> {
  const maySwap = mayUse(place, sources);
  if (isEvmChain(place)) return findSwapLeg(place, from, to, maySwap);
  if (from.address === to.address) return noLeg(from);
  if (!isSvmChain(place) || !maySwap) return undefined;
  // Where the input is not fixed, its worth is close enough to compare routes.
  const known = tradeType === "EXACT_INPUT" ? currencyIn : currencyOut;
  return findSvmLeg(place, { amount: convertAmount(amount, known, from), from, maxRouteLength, to });
}

function mayUse(place: Place, sources: readonly string[]): boolean {
  return sources.includes(swapSourceOf(place));
}

/** The solver's currency of the same asset; without one, that nearest to the user's currency on the chain. */
function counterpart(chain: Chain, asset: LocalCurrency, users: LocalCurrency): LocalCurrency {
  const same = solverCurrencies(chain).find(({ symbol }) => symbol === asset.symbol);
  return same ?? nearestSolverCurrency(chain, users);
}

function noRoute(): never {
  throw new QuoteError("NO_SWAP_ROUTES_FOUND", "No routes found");
}

/** The currency itself if the solver takes it; native currency for its wrapped form; else the solver's token. */
function nearestSolverCurrency(chain: Place, currency: LocalCurrency): LocalCurrency {
  if (isSolverCurrency(chain, currency)) return currency;
  const [native, token] = solverCurrencies(chain);
  const nearest = isWrappedNative(chain, currency) ? native : token;
  return nearest ?? noRoute();
}

function sameCurrency(chain: Chain, { symbol }: LocalCurrency): LocalCurrency {
  const found = solverCurrencies(chain).find((currency) => currency.symbol === symbol);
  if (found === undefined) {
    throw new QuoteError("UNSUPPORTED_ROUTE", `The solver has no ${symbol} on ${chain.definition.name}`);
  }
  return found;
}

/** Symbol of the token that the solver holds on every chain, besides native currency. */
const inventoryToken = "USDC";

/** Currencies that the solver takes and pays without a swap, native currency first. */
export function solverCurrencies({ currencies, definition }: ShownChain): readonly LocalCurrency[] {
  if (definition.id === exchangeChainId) return currencies;
  if (definition.id === svmChainId) {
    return currencies.filter(({ symbol }) => svmInventory.some((held) => held.symbol === symbol));
  }
  return currencies.filter(({ address, symbol }) => address === zeroAddress || symbol === inventoryToken);
}

/** Whether the solver takes and pays a currency without a swap. */
export function isSolverCurrency(chain: ShownChain, currency: LocalCurrency): boolean {
  return solverCurrencies(chain).includes(currency);
}

/** A request with its route and amounts. */
export type PricedRoute<Origin extends Place = Chain> = {
  readonly read: ReadIntent<Origin>;
  readonly route: Route;
  readonly amounts: Amounts;
  readonly routerVersion: RouterVersion;
  /** The user's way to pay by signature; `undefined` if the request has no `usePermit` or the currency is native. */
  readonly permit: PermitWay | undefined;
  /** The sponsorship that the request asks for. */
  readonly sponsorship?: AskedSponsorship | undefined;
};

/** A priced request before it is stored. */
export type PricedIntent<Origin extends Place = Chain> = PricedRoute<Origin> & {
  readonly fees: QuoteFees;
  readonly details: QuoteDetails;
  /** Gas of the same-chain transaction if it was simulated, else zero. */
  readonly sameChainGas: bigint;
};
