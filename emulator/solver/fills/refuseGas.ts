import type { Address } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { placesOf } from "../../context/places.ts";
import { mostLoss } from "../../money/oracleBound.ts";
import { usdOf } from "../../money/prices.ts";
import { gasPriceOf } from "../../quote/price/fillCost.ts";
import type { Change } from "../../requests/applyTrigger.ts";
import type { Intent } from "../../requests/Intent.ts";

/** Gas of a fill that a fixed rate's spread pays for: a swap through the router. */
const gasOfSpread = 250_000n;

/**
 * Refuses a fill whose gas costs more at the present price than twice the quoted fee and the solver's largest loss on the
 * deposit. The gas price rises after a quote, and a client can raise the gas by code that comes after it.
 *
 * @param gas Gas of the fill, without reserve.
 * @returns Why it is refused; `undefined` within the bound.
 */
export function refuseGas(
  { claim, deposit, fill, origin }: Intent,
  gas: bigint,
  chain: Chain,
  context: Pick<Context, "chains" | "exchange" | "svm">,
): (Pick<Change, "failReason"> & { readonly details: string }) | undefined {
  // A claim has no deposit: its balances paid for it.
  if (claim !== undefined) return undefined;
  const [native] = chain.currencies;
  const currency = placesOf(context)
    .get(origin.chainId)
    ?.currencies.find(
      ({ address }: { readonly address: Address }) =>
        address.toLowerCase() === deposit.currency.toLowerCase(),
    );
  if (native === undefined || currency === undefined) return undefined;
  const costOf = (units: bigint) => usdOf(units * gasPriceOf(chain), native);
  const quoted = fill.gas === undefined ? costOf(gasOfSpread) : usdOf(fill.gas, currency);
  if (costOf(gas) <= 2n * quoted + mostLoss(usdOf(deposit.amount, currency))) return undefined;
  const details = `It takes ${gas} gas, which costs more than the quote's fee and the solver's largest loss`;
  return { details, failReason: "QUOTED_GAS_LIMIT_EXCEEDED" };
}
