import type { Store } from "../store/openStore.ts";

/** An integrator's balance in one currency, in smallest units. */
export type AppFeeBalance = {
  readonly chainId: number;
  readonly currency: string;
  /** Negative if a reorg took back fees that had been claimed. */
  readonly amount: bigint;
};

/** Statuses of a claim whose payout is due or made. */
const debited = ["pending", "submitted", "success"] as const;

/**
 * Computes the balances of a wallet, by chain and currency: the credited app fees less the claims that are due or paid. A
 * claim that fails counts no longer, so that it returns its amount at once.
 */
export async function appFeeBalancesOf(store: Store, wallet: string): Promise<readonly AppFeeBalance[]> {
  const owner = wallet.toLowerCase();
  const [credits, debits] = await Promise.all([
    store
      .selectFrom("app_fees")
      .select(["chain_id", "currency", "amount"])
      .where("recipient", "=", owner)
      .execute(),
    store
      .selectFrom("app_fee_claims")
      .innerJoin("requests", "requests.id", "app_fee_claims.request_id")
      .select(["app_fee_claims.chain_id", "app_fee_claims.currency", "app_fee_claims.amount"])
      .where("app_fee_claims.wallet", "=", owner)
      .where("requests.status", "in", debited)
      .execute(),
  ]);
  const changes = [
    ...credits.map((row) => ({ ...row, amount: BigInt(row.amount) })),
    ...debits.map((row) => ({ ...row, amount: -BigInt(row.amount) })),
  ];
  const byPlace = Map.groupBy(changes, ({ chain_id, currency }) => `${chain_id} ${currency}`);
  return [...byPlace.values()]
    .flatMap((rows) => {
      const [first] = rows;
      const amount = rows.reduce((sum, each) => sum + each.amount, 0n);
      return first === undefined ? [] : [{ amount, chainId: first.chain_id, currency: first.currency }];
    })
    .sort((a, b) => a.chainId - b.chainId || (a.currency < b.currency ? -1 : 1));
}
