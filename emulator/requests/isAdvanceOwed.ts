import type { Store } from "../store/tables.ts";

/** Whether a request was fast-filled and no deposit covers the advance. A deposit that a reorg removed covers nothing. */
export async function isAdvanceOwed(store: Store, requestId: string): Promise<boolean> {
  const owed = await store
    .selectFrom("deposits as advance")
    .leftJoin("deposits as cover", (join) =>
      join.onRef("cover.request_id", "=", "advance.request_id").on("cover.state", "=", "netted"),
    )
    .select("advance.id")
    .where("advance.id", "=", `advance:${requestId}`)
    .where("advance.state", "!=", "released")
    .where("cover.id", "is", null)
    .executeTakeFirst();
  return owed !== undefined;
}

/** The integrator whose advances are summed: by key, or by the wallet that shows them. */
type Integrator = { readonly api_key_id: string } | { readonly wallet: string };

/**
 * Sums the advances of fast fills that no deposit covers, in micro-dollars of the moment of each fast fill. A deposit that a
 * reorg removed covers nothing.
 */
export async function outstandingAdvances(store: Store, integrator: Integrator): Promise<number> {
  const outstanding = store
    .selectFrom("fast_fills")
    .innerJoin("deposits as advance", (join) =>
      join.onRef("advance.request_id", "=", "fast_fills.request_id").on("advance.source", "=", "advance"),
    )
    .leftJoin("deposits as cover", (join) =>
      join.onRef("cover.request_id", "=", "advance.request_id").on("cover.state", "=", "netted"),
    )
    .select("fast_fills.amount_usd")
    .where("advance.state", "!=", "released")
    .where("cover.id", "is", null);
  const rows = await ("wallet" in integrator
    ? outstanding.where("fast_fills.wallet", "=", integrator.wallet.toLowerCase())
    : outstanding.where("fast_fills.api_key_id", "=", integrator.api_key_id)
  ).execute();
  return rows.reduce((sum, { amount_usd }) => sum + amount_usd, 0);
}
