import type { Address } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { placesOf } from "../../context/places.ts";
import { mostLoss } from "../../money/oracleBound.ts";
import { usdOf } from "../../money/prices.ts";
import { gasPriceOf } from "../../quote/price/fillCost.ts";
import type { Change } from "../../requests/applyTrigger.ts";
import type { Intent } from "../../requests/Intent.ts";

/** Gas of a fill without a quoted cost, as of a fixed rate of an earlier version: a swap through the router. */
const gasWithoutQuote = 250_000n;

/**
 * Gas of a pool's two sums of prices over time, written for the first time: its first trade of a second writes them, which a quote
 * in the second of another trade does not see.
 */
const poolSums = 44_200n;

/**
 * Refuses a fill whose gas costs more at the present price than twice the quoted cost and the solver's largest loss on the
 * deposit. The gas price rises after a quote, and a client can raise the gas by code that comes after it. A claim of app fees
 * has quoted the part of it that is not paid out.
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
  const [native] = chain.currencies;
  const currency = placesOf(context)
    .get(origin.chainId)
    ?.currencies.find(
      ({ address }: { readonly address: Address }) =>
        address.toLowerCase() === deposit.currency.toLowerCase(),
    );
  if (native === undefined || currency === undefined) return undefined;
  const costOf = (units: bigint) => usdOf(units * gasPriceOf(chain), native);
  const gasFee = claim === undefined ? fill.gas : origin.amount - fill.amount;
  const quoted = gasFee === undefined ? costOf(gasWithoutQuote) : usdOf(gasFee, currency);
  const counted = fill.path.length > 0 && gas > poolSums ? gas - poolSums : gas;
  if (costOf(counted) <= 2n * quoted + mostLoss(usdOf(deposit.amount, currency))) return undefined;
  const details = `It takes ${gas} gas, which costs more than the quote's fee and the solver's largest loss`;
  return { details, failReason: "QUOTED_GAS_LIMIT_EXCEEDED" };
}
