import type { Context } from "../../context/Context.ts";
import { applyTrigger } from "../../requests/applyTrigger.ts";
import type { StoreTransaction } from "../../store/tables.ts";
import type { SameChainTransaction } from "./sameChainTransactions.ts";

/**
 * Returns requests to waiting whose user's own transaction a reorg removed, in the caller's transaction. If another
 * block holds it, it is found there and ends its request as before.
 */
export async function revertSameChainTransactions(
  transaction: StoreTransaction,
  chainId: number,
  fork: bigint,
  found: readonly SameChainTransaction[],
  { log, now }: Pick<Context, "log" | "now">,
): Promise<void> {
  const isThere = new Set(
    found.map(
      (own) => `${own.requestId}:${own.transaction.hash}:${own.isSuccessful ? "success" : "failure"}`,
    ),
  );
  const rows = await transaction
    .selectFrom("same_chain_transactions")
    .select(["request_id", "hash", "status"])
    .where("chain_id", "=", chainId)
    .where("block_number", ">", Number(fork))
    .execute();
  for (const { hash, request_id, status } of rows) {
    if (isThere.has(`${request_id}:${hash}:${status}`)) continue;
    await transaction
      .deleteFrom("same_chain_transactions")
      .where("request_id", "=", request_id)
      .where("hash", "=", hash)
      .execute();
    const other = await transaction
      .selectFrom("same_chain_transactions")
      .select("hash")
      .where("request_id", "=", request_id)
      .executeTakeFirst();
    // Another transaction made the same calls, and the request stays ended.
    if (other !== undefined) continue;
    log({
      level: "info",
      message: `a reorg removed a user's own transaction from chain ${chainId}: ${hash}`,
      requestId: request_id,
    });
    const change = { failReason: null, trigger: "own-reorged", txHash: hash } as const;
    await applyTrigger(transaction, request_id, change, now());
  }
}
