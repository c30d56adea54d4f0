import type { Store } from "../store/openStore.ts";

/**
 * What deposits must still pay back of a request's advance, in smallest units of the deposit's currency; `undefined` without
 * an advance in force. Every `netted` deposit counts; one that a reorg removed does not.
 */
export async function advanceDebt(store: Store, requestId: string): Promise<bigint | undefined> {
  const advance = await store
    .selectFrom("deposits")
    .select(["amount", "id"])
    .where("request_id", "=", requestId)
    .where("source", "=", "advance")
    .where("outcome", "=", "accepted")
    .executeTakeFirst();
  if (advance === undefined) return undefined;
  const parts = await store
    .selectFrom("deposits")
    .select("amount")
    .where("covers", "=", advance.id)
    .where("outcome", "=", "netted")
    .execute();
  const left = parts.reduce((rest, { amount }) => rest - BigInt(amount), BigInt(advance.amount));
  return left > 0n ? left : 0n;
}
