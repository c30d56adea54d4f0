import type { Context } from "../../context/Context.ts";
import { amountWorth, usdOf } from "../../money/prices.ts";
import { appFeeBalancesOf } from "../../requests/accrueAppFees.ts";
import { outstandingAdvances } from "../../requests/isAdvanceOwed.ts";
import type { Store } from "../../store/tables.ts";

import { type HeldBalance, heldBalances } from "./planDebits.ts";

/** Dollars are in units of 1e-18. */
const perMicro = 10n ** 12n;

/** The balances that a wallet can claim now: what its fast fills have advanced stays until deposits cover it. */
export async function claimableBalances(
  wallet: string,
  store: Store,
  { chains }: Pick<Context, "chains">,
): Promise<readonly HeldBalance[]> {
  let reserved = BigInt(await outstandingAdvances(store, { wallet })) * perMicro;
  return heldBalances(await appFeeBalancesOf(store, wallet), chains).flatMap((balance) => {
    const kept = least(amountWorth(reserved, balance.currency, "up"), balance.amount);
    reserved -= least(reserved, usdOf(kept, balance.currency));
    return kept === balance.amount ? [] : [{ ...balance, amount: balance.amount - kept }];
  });
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
