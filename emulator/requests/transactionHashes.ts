import type { Store } from "../store/openStore.ts";
import { payingKinds } from "../store/transactionKinds.ts";

/**
 * The origin transactions that paid for a request, and the transactions that were mined for it: the solver's, or the user's
 * own, which is both.
 */
export async function transactionHashes(
  store: Store,
  requestId: string,
): Promise<{ inTxHashes: string[]; txHashes: string[] }> {
  const deposits = await store
    .selectFrom("deposits")
    .select("tx_hash")
    .where("request_id", "=", requestId)
    .orderBy("at")
    .orderBy("id")
    .execute();
  const transactions = await store
    .selectFrom("transactions")
    .select("hash")
    .where("request_id", "=", requestId)
    .where("state", "=", "mined")
    .where("kind", "in", payingKinds)
    .orderBy("id")
    .execute();
  const own = await store
    .selectFrom("own_transactions")
    .select("hash")
    .where("request_id", "=", requestId)
    .orderBy("at")
    .execute();
  const ownHashes = own.map(({ hash }) => hash);
  return {
    inTxHashes: [...new Set([...deposits.map(({ tx_hash }) => tx_hash), ...ownHashes])],
    txHashes: [...transactions.map(({ hash }) => hash), ...ownHashes],
  };
}
