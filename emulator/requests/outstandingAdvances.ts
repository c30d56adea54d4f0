import type { Store } from "../store/openStore.ts";

/** The integrator whose advances are summed: by key, or by the wallet that shows them. */
type Integrator = { readonly api_key_id: string } | { readonly wallet: string };

/**
 * Sums what fast fills have advanced and deposits have not paid back, in micro-dollars of the moment of each fast fill. A
 * deposit pays back the part that counts; one that a reorg removed pays back nothing.
 */
export async function outstandingAdvances(store: Store, integrator: Integrator): Promise<number> {
  const [column, value] =
    "wallet" in integrator
      ? (["fast_fills.wallet", integrator.wallet.toLowerCase()] as const)
      : (["fast_fills.api_key_id", integrator.api_key_id] as const);
  const advances = await store
    .selectFrom("fast_fills")
    .innerJoin("deposits", (join) =>
      join.onRef("deposits.request_id", "=", "fast_fills.request_id").on("deposits.source", "=", "advance"),
    )
    .select(["deposits.id", "deposits.amount", "fast_fills.amount_usd"])
    .where(column, "=", value)
    .where("deposits.outcome", "=", "accepted")
    .execute();
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
