import { zeroAddress } from "viem";
import { exchangeChainId } from "../../../src/perps/constants.ts";
import { svmChainId } from "../../../src/svm/constants.ts";
import type { Chain, LocalCurrency, ShownChain } from "../../chains/Chain.ts";
import { isEvmChain, type Place } from "../../context/places.ts";
import { isWrappedNative } from "../../currencies/currencyId.ts";
import { QuoteError } from "../../errors/QuoteError.ts";
import { findSwapLeg, noLeg, type SwapLeg } from "../../router/SwapLeg.ts";
import type { ReadIntent } from "../request/readIntent.ts";

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
 * Plans the route. The user's own transaction carries out a same-chain request, unless the solver must. Any other request is deposited in the solver's
 * currency nearest to the input, and filled on the destination chain.
 *
 * @throws QuoteError `NO_SWAP_ROUTES_FOUND` when the user's transaction has no swap route, `NO_INTERNAL_SWAP_ROUTES_FOUND` when
 * the solver has none.
 */
export async function planRoute(read: ReadIntent<Place>): Promise<Route> {
  const { currencyIn, currencyOut, destination, forceSolverExecution, origin, sources } = read;
  if (!isEvmChain(origin)) return fromOther(read, destination);
  if (!isEvmChain(destination)) return toOther(read, origin);
  const maySwapOrigin = sources.origin.length > 0;
  if (origin.definition.id === destination.definition.id && !forceSolverExecution) {
    const swap = await findSwapLeg(origin, currencyIn, currencyOut, maySwapOrigin);
    return { destination: swap ?? noRoute(), origin: noLeg(currencyIn), via: "self" };
  }
  const deposited = nearestSolverCurrency(origin, currencyIn);
  const inventory = sameCurrency(destination, deposited);
  const [first, last] = await Promise.all([
    findSwapLeg(origin, currencyIn, deposited, maySwapOrigin),
    findSwapLeg(destination, inventory, currencyOut, sources.destination.length > 0),
  ]);
  if (first === undefined) return noRoute();
  if (last === undefined) {
    throw new QuoteError("NO_INTERNAL_SWAP_ROUTES_FOUND", "No internal swap routes found");
  }
  return { destination: last, origin: first, via: "depository" };
}

/** Without pools there, the solver pays the asset itself, and the user's transaction swaps into its counterpart. */
async function toOther(
  { currencyIn, currencyOut, sources }: ReadIntent<Place>,
  origin: Chain,
): Promise<Route> {
  const deposited = counterpart(origin, currencyOut, currencyIn);
  const first = await findSwapLeg(origin, currencyIn, deposited, sources.origin.length > 0);
  return { destination: noLeg(currencyOut), origin: first ?? noRoute(), via: "depository" };
}

/** The solver takes any currency of the other ledger. It swaps on an EVM chain, and pays the asset itself elsewhere. */
async function fromOther(
  { currencyIn, currencyOut, sources }: ReadIntent<Place>,
  destination: Place,
): Promise<Route> {
  if (!isEvmChain(destination)) {
    return { destination: noLeg(currencyOut), origin: noLeg(currencyIn), via: "depository" };
  }
  const inventory = counterpart(destination, currencyIn, currencyOut);
  const last = await findSwapLeg(destination, inventory, currencyOut, sources.destination.length > 0);
  if (last === undefined) {
    throw new QuoteError("NO_INTERNAL_SWAP_ROUTES_FOUND", "No internal swap routes found");
  }
  return { destination: last, origin: noLeg(currencyIn), via: "depository" };
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
function nearestSolverCurrency(chain: Chain, currency: LocalCurrency): LocalCurrency {
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
  if (definition.id === exchangeChainId || definition.id === svmChainId) return currencies;
  return currencies.filter(({ address, symbol }) => address === zeroAddress || symbol === inventoryToken);
}

/** Whether the solver takes and pays a currency without a swap. */
export function isSolverCurrency(chain: ShownChain, currency: LocalCurrency): boolean {
  return solverCurrencies(chain).includes(currency);
}
