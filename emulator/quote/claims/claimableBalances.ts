import type { Context } from "../../context/Context.ts";
import { amountWorth, type Usd, usdOf } from "../../money/prices.ts";
import { type AppFeeBalance, appFeeBalancesOf, debited } from "../../requests/appFeeBalances.ts";
import { outstandingAdvances } from "../../requests/outstandingAdvances.ts";
import type { Store } from "../../store/openStore.ts";
import { type HeldBalance, heldBalances } from "./planDebits.ts";

/** Dollars are in units of 1e-18. */
const perMicro = 10n ** 12n;

/**
 * Computes the worth that a wallet's balances secure of outstanding advances. A key's advances are secured by the fees that
 * requests of the same key earned, less everything that the wallet claimed: any key may name any wallet in its requests, and
 * must not withhold what the wallet earned elsewhere.
 */
export async function securedAdvances(
  wallet: string,
  store: Store,
  { chains }: Pick<Context, "chains">,
): Promise<Usd> {
  const owner = wallet.toLowerCase();
  const keys = await store
    .selectFrom("fast_fills")
    .select("api_key_id")
    .distinct()
    .where("wallet", "=", owner)
    .execute();
  if (keys.length === 0) return 0n;
  const worth = (rows: readonly Row[]): Usd =>
    heldBalances(rows.map(balanceOf), chains).reduce(
      (sum, { amount, currency }) => sum + usdOf(amount, currency),
      0n,
    );
  const claims = await store
    .selectFrom("app_fee_claims")
    .innerJoin("requests", "requests.id", "app_fee_claims.request_id")
    .select(["app_fee_claims.amount", "app_fee_claims.chain_id", "app_fee_claims.currency"])
    .where("app_fee_claims.wallet", "=", owner)
    .where("requests.status", "in", debited)
    .execute();
  const claimed = worth(claims);
  let secured = 0n;
  for (const { api_key_id } of keys) {
    const owed = BigInt(await outstandingAdvances(store, { api_key_id, wallet: owner })) * perMicro;
    if (owed === 0n) continue;
    const earned = await store
      .selectFrom("app_fees")
      .innerJoin("requests", "requests.id", "app_fees.request_id")
      .select(["app_fees.amount", "app_fees.chain_id", "app_fees.currency"])
      .where("app_fees.recipient", "=", owner)
      .where("requests.api_key_id", "=", api_key_id)
      .execute();
    const left = worth(earned) - claimed;
    if (left > 0n) secured += left < owed ? left : owed;
  }
  return secured;
}

type Row = { readonly amount: string; readonly chain_id: number; readonly currency: string };

function balanceOf({ amount, chain_id, currency }: Row): AppFeeBalance {
  return { amount: BigInt(amount), chainId: chain_id, currency };
}

/**
 * The part of some balances that secures no advance: what fast fills have advanced stays in the balances until deposits pay it
 * back.
 */
function freeBalances(balances: readonly HeldBalance[], secured: Usd): readonly HeldBalance[] {
  let reserved = secured;
  return balances.flatMap((balance) => {
    const kept = least(amountWorth(reserved, balance.currency, "up"), balance.amount);
    reserved -= least(reserved, usdOf(kept, balance.currency));
    return kept === balance.amount ? [] : [{ ...balance, amount: balance.amount - kept }];
  });
}

/** The balances that a wallet can claim now. */
export async function claimableBalances(
  wallet: string,
  store: Store,
  { chains }: Pick<Context, "chains">,
): Promise<readonly HeldBalance[]> {
  const held = heldBalances(await appFeeBalancesOf(store, wallet), chains);
  return freeBalances(held, await securedAdvances(wallet, store, { chains }));
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
