import type { Store } from "../store/openStore.ts";
import type { RequestHashRow } from "../store/tables.ts";

/** Indexes a request by a transaction hash. Idempotent. */
export async function addRequestHash(
  store: Store,
  { hash, kind, request_id }: RequestHashRow,
): Promise<void> {
  await store
    .insertInto("request_hashes")
    .values({ hash: hash.toLowerCase(), kind, request_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
