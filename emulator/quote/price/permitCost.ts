import type { Chain } from "../../chains/Chain.ts";
import { type Usd, usdOf } from "../../money/prices.ts";
import { isSwap, type SwapLeg } from "../../router/SwapLeg.ts";
import { gasPriceOf } from "./fillCost.ts";

/** Gas of a deposit by signature, rounded up. It cannot be run before there is a signature. */
const depositGas = 250_000n;
/** What a swap ahead of it takes. */
const swapGas = 150_000n;

/** What it costs the service to send a deposit for a user. */
export function permitCost(origin: Chain, leg: SwapLeg): Usd {
  const [native] = origin.currencies;
  if (native === undefined) throw new Error("a chain without a native currency");
  const gas = isSwap(leg) ? depositGas + swapGas : depositGas;
  return usdOf(gas * gasPriceOf(origin), native);
}
