import { depositFactoryAddress } from "../../chains/accounts.ts";
import { hasCode } from "../../chains/rpc.ts";
import type { Context } from "../../context/Context.ts";
import { isEvmChain, isSvmChain, type Place } from "../../context/places.ts";
import { QuoteError } from "../../errors/refusals.ts";
import { type Usd, usdOf } from "../../money/prices.ts";
import { isGasless, type PermitWay } from "../../requests/Intent.ts";
import { isLeg, isSwap, type SwapLeg } from "../../router/SwapLeg.ts";
import type { ReadIntent } from "../request/readIntent.ts";
import type { Route } from "../route/planRoute.ts";
import { readGasPrice } from "./fillCost.ts";

/** Gas of a deposit that the service sends, rounded up: it cannot be simulated before the user signs. */
const depositGas = 250_000n;
/** Gas of a swap ahead of that deposit. */
const swapGas = 150_000n;

type Payment = {
  readonly permit: PermitWay | undefined;
  readonly read: Pick<ReadIntent<Place>, "origin" | "originGasOverhead">;
};

/**
 * Whether the service sends the user's payment: for a signature, or as calls of `POST /execute`, which a quote announces by an
 * `originGasOverhead`.
 */
export function isSentByService({ permit, read }: Payment): boolean {
  return permit === undefined ? read.originGasOverhead > 0 : isGasless(permit);
}

/** The service's cost of sending the user's payment; zero when the user sends it. */
export function gaslessCost(payment: Payment, leg: SwapLeg): Usd {
  if (!isSentByService(payment)) return 0n;
  const { origin, originGasOverhead } = payment.read;
  // The service sends nothing to the exchange for its users.
  if (!isEvmChain(origin)) return 0n;
  const gas = depositGas + (isSwap(leg) ? swapGas : 0n) + BigInt(originGasOverhead);
  return usdOf(gas * readGasPrice(origin), origin.currencies[0]);
}

/** Gas of a sweep that creates the deposit address, rounded up. */
const sweepGas = 220_000n;

/** Lamports of the signatures of a sweep: the solver's, which pays, and the address's. */
const svmSweepLamports = 10_000n;

/** The service's cost of sweeping a deposit address. */
export function sweepCost(origin: Place): Usd {
  const [native] = origin.currencies;
  if (isSvmChain(origin)) return usdOf(svmSweepLamports, native);
  if (!isEvmChain(origin)) return 0n;
  return usdOf(sweepGas * readGasPrice(origin), native);
}

/**
 * A deposit address takes what the solver takes, on the SVM chain and on EVM chains with the factory. A swap on the destination may
 * fail, so it needs an account for refunds.
 */
export async function assertSweepable(
  { currencyIn, depositAddress, isRefunded, origin }: ReadIntent<Place>,
  route: Route,
  { accounts }: Pick<Context, "accounts">,
): Promise<void> {
  if (depositAddress === undefined) return;
  if (isLeg(route.origin)) {
    throw new QuoteError("UNSUPPORTED_CURRENCY", `A deposit address takes no ${currencyIn.symbol}`);
  }
  if (isSwap(route.destination) && !isRefunded) {
    throw new QuoteError(
      "INVALID_ADDRESS",
      "A deposit address with a swap on the destination requires `refundTo`",
    );
  }
  if (isSvmChain(origin)) return;
  if (!isEvmChain(origin) || !(await hasCode(origin, depositFactoryAddress(accounts)))) {
    throw new QuoteError("UNSUPPORTED_CHAIN", `${origin.definition.name} has no deposit addresses`);
  }
}
