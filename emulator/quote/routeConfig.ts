import { type Address, zeroAddress } from "viem";
import type { Config, ConfigQuery } from "../../src/schema/chain/config.ts";
import { accountText } from "../chains/accountText.ts";
import type { LocalCurrency } from "../chains/Chain.ts";
import type { Context } from "../context/Context.ts";
import { balanceAt, isSvmChain, type Place, placesOf, solverAt } from "../context/places.ts";
import { currencyIdOf, currencyText, findCurrency } from "../currencies/currencyId.ts";
import { QuoteError } from "../errors/refusals.ts";
import { amountWorth, oneUsd } from "../money/prices.ts";
import { priceIntent } from "./price/priceIntent.ts";
import { parseAccount } from "./request/parseAccount.ts";
import { requireChain } from "./request/readIntent.ts";
import { isSolverCurrency, type PricedIntent } from "./route/planRoute.ts";

/** An EOA as recipient: the fill costs as much as for most recipients. */
const anyRecipient: Address = "0x1111111111111111111111111111111111111111";

/** A wallet of the SVM chain, as base58 of the same word. */
const anySvmRecipient = "Wa11et1111111111111111111111111111111111111";
const anyAccountOn = (place: Place) => (isSvmChain(place) ? anySvmRecipient : anyRecipient);

type Quoting = Pick<Context, "accounts" | "chains" | "control" | "exchange" | "quoting">;

/**
 * Availability, fee and capacity of bridging a currency between two chains. A route is open if a quote for one dollar
 * succeeds.
 */
export async function routeConfig(query: ConfigQuery, context: Quoting): Promise<Config> {
  const origin = requireChain(placesOf(context), query.originChainId);
  const destination = requireChain(placesOf(context), query.destinationChainId);
  const [currencyIn, currencyOut] = requireCurrencies(query.currency ?? zeroAddress, origin, destination);
  const user =
    query.user === undefined ? undefined : parseAccount(origin, query.user, "INVALID_ADDRESS", "user");
  const solver = solverAt(destination, context.accounts);
  const isBridged =
    origin !== destination &&
    isSolverCurrency(origin, currencyIn) &&
    isSolverCurrency(destination, currencyOut);
  const priced = isBridged
    ? await priceDollar({ currencyIn, currencyOut, destination, origin }, context)
    : undefined;
  const balance = await balanceAt(destination, currencyOut.address, solver);
  const lent = amountWorth(context.quoting.capacityPerRequest, currencyOut, "down");
  const capacity = priced === undefined ? 0n : least(balance, lent);
  return {
    enabled: priced !== undefined,
    fee: priced?.fees.relayer?.amount ?? null,
    solver: {
      address: accountText(solver.toLowerCase()),
      balance: balance.toString(),
      capacityPerRequest: capacity.toString(),
    },
    supportsExternalLiquidity: isBridged,
    ...(user !== undefined && { user: await readLimits(user, origin, currencyIn, { capacity, priced }) }),
  };
}

/** The user's balance, and the output for all of it, capped by the solver's capacity. */
async function readLimits(
  user: Address,
  origin: Place,
  currency: LocalCurrency,
  { capacity, priced }: { readonly capacity: bigint; readonly priced: PricedIntent<Place> | undefined },
): Promise<NonNullable<Config["user"]>> {
  const balance = await balanceAt(origin, currency.address, user);
  const fee = BigInt(priced?.fees.relayer?.amount ?? 0);
  // A payer of native currency needs part of it for the deposit's gas.
  const gas = currency.address === zeroAddress ? BigInt(priced?.fees.gas?.amount ?? 0) : 0n;
  const affordable = balance - fee - gas;
  return {
    balance: balance.toString(),
    maxBridgeAmount: (affordable < 0n ? 0n : least(affordable, capacity)).toString(),
  };
}

/** Prices the route; `undefined` if the quote is refused. */
async function priceDollar(
  between: {
    readonly origin: Place;
    readonly destination: Place;
    readonly currencyIn: LocalCurrency;
    readonly currencyOut: LocalCurrency;
  },
  context: Quoting,
): Promise<PricedIntent<Place> | undefined> {
  const { currencyIn, currencyOut, destination, origin } = between;
  const request = {
    amount: amountWorth(oneUsd, currencyOut, "up").toString(),
    destinationChainId: destination.definition.id,
    destinationCurrency: currencyText(destination, currencyOut),
    originChainId: origin.definition.id,
    originCurrency: currencyText(origin, currencyIn),
    // The exchange requires it for withdrawals.
    protocolVersion: "v2",
    tradeType: "EXACT_OUTPUT" as const,
    recipient: anyAccountOn(destination),
    user: anyAccountOn(origin),
  };
  return priceIntent(request, context).catch((error: unknown) => {
    if (error instanceof QuoteError) return undefined;
    throw error;
  });
}

/** The currency on both chains. An address is looked up on the origin chain first. */
function requireCurrencies(
  idOrAddress: string,
  origin: Place,
  destination: Place,
): [LocalCurrency, LocalCurrency] {
  const named = findCurrency(origin, idOrAddress) ?? findCurrency(destination, idOrAddress);
  const on = (chain: Place): LocalCurrency => {
    const found = named && findCurrency(chain, currencyIdOf(named));
    if (found !== undefined) return found;
    throw new QuoteError("UNSUPPORTED_CURRENCY", `Chain ${chain.definition.id} has no ${idOrAddress}`);
  };
  return [on(origin), on(destination)];
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
