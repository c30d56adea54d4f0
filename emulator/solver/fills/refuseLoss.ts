import { type Address, zeroAddress } from "viem";
import type { Context } from "../../context/Context.ts";
import { placesOf } from "../../context/places.ts";
import { mostLossBps, mostSpending } from "../../money/oracleBound.ts";
import { type Usd, usdOf } from "../../money/prices.ts";
import { sharesEarned } from "../../requests/accrueAppFees.ts";
import type { Change } from "../../requests/applyTrigger.ts";
import type { Intent } from "../../requests/Intent.ts";
import { type Delivery, type Shortfall, spentBy } from "../../router/planDelivery.ts";

/**
 * Refuses a fill that costs the solver more than it is paid and {@link mostLossBps}, at the present prices. A quote holds its
 * price for a time that the depositor chooses to use or not, and prices move meanwhile.
 *
 * @param deposited Smallest units.
 * @returns Why it is refused; `undefined` within the bound.
 */
export function refuseLoss(
  { delivery, intent }: { readonly delivery: Delivery | Shortfall; readonly intent: Intent },
  deposited: bigint,
  context: Pick<Context, "chains" | "exchange" | "svm">,
): Pick<Change, "details" | "failReason"> | undefined {
  // A claim has no deposit: its balances paid for it.
  if (intent.claim !== undefined) return undefined;
  const places = placesOf(context);
  const worth = (chainId: number, currency: Address, amount: bigint): Usd | undefined => {
    const found = places
      .get(chainId)
      ?.currencies.find(({ address }) => address.toLowerCase() === currency.toLowerCase());
    return found && usdOf(amount, found);
  };
  const { deposit, destination, fill, origin, sponsorship, topup } = intent;
  const appFees = sharesEarned(intent, deposited).reduce((sum, fee) => sum + fee, 0n);
  const paid = worth(origin.chainId, deposit.currency, deposited + (sponsorship?.amount ?? 0n) - appFees);
  const spent = worth(destination.chainId, fill.currency, spentBy(delivery));
  if (paid === undefined || spent === undefined) return undefined;
  const gas = topup === undefined ? 0n : (worth(destination.chainId, zeroAddress, topup.amount) ?? 0n);
  if (spent + gas <= mostSpending(paid)) return undefined;
  const details = `Prices moved: the fill costs more than ${mostLossBps} basis points above the deposit's worth`;
  return { details, failReason: "SLIPPAGE" };
}
