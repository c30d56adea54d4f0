import type { Store } from "../store/openStore.ts";

/** The integrator whose advances are summed: by key, by the wallet that shows them, or by both. */
type Integrator =
  | { readonly api_key_id: string; readonly wallet?: string }
  | { readonly api_key_id?: undefined; readonly wallet: string };

/**
 * Sums what fast fills have advanced and deposits have not paid back, in micro-dollars of the moment of each fast fill. A
 * deposit pays back the part that counts; one that a reorg removed pays back nothing.
 */
export async function outstandingAdvances(store: Store, integrator: Integrator): Promise<number> {
  const { api_key_id, wallet } = integrator;
  let advanced = store
    .selectFrom("fast_fills")
    .innerJoin("deposits", (join) =>
      join.onRef("deposits.request_id", "=", "fast_fills.request_id").on("deposits.source", "=", "advance"),
    )
    .select(["deposits.id", "deposits.amount", "fast_fills.amount_usd"])
    .where("deposits.outcome", "=", "accepted");
  if (api_key_id !== undefined) advanced = advanced.where("fast_fills.api_key_id", "=", api_key_id);
  if (wallet !== undefined) advanced = advanced.where("fast_fills.wallet", "=", wallet.toLowerCase());
  const advances = await advanced.execute();
  if (advances.length === 0) return 0;
  const payments = await store
    .selectFrom("deposits")
    .select(["covers", "amount"])
    .where(
      "covers",
      "in",
      advances.map(({ id }) => id),
    )
    .where("outcome", "=", "netted")
    .execute();
  const paid = Map.groupBy(payments, ({ covers }) => covers);
  return advances.reduce((sum, { amount, amount_usd, id }) => {
    const back = (paid.get(id) ?? []).reduce((total, each) => total + BigInt(each.amount), 0n);
    const left = BigInt(amount) - back;
    // Rounded up: the last part counts until it is paid.
    return left <= 0n
      ? sum
      : sum + Number((BigInt(amount_usd) * left + BigInt(amount) - 1n) / BigInt(amount));
  }, 0);
}
