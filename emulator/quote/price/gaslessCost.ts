import type { Chain } from "../../chains/Chain.ts";
import { isEvmChain, type Place } from "../../context/places.ts";
import { type Usd, usdOf } from "../../money/prices.ts";
import { isGasless, type PermitWay } from "../../requests/Intent.ts";
import { isSwap, type SwapLeg } from "../../router/SwapLeg.ts";
import type { ReadIntent } from "../request/readIntent.ts";
import { gasPriceOf } from "./fillCost.ts";

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
  return usdOf(gas * gasPriceOf(origin), nativeOf(origin));
}

function nativeOf({ currencies: [native] }: Chain) {
  if (native === undefined) throw new Error("a chain without a native currency");
  return native;
}
