import { type Hex, TransactionReceiptNotFoundError } from "viem";
import type { Context } from "../../context/Context.ts";
import { isCancel } from "../../store/transactionKinds.ts";
import type { Cancelled } from "./cancel.ts";

/**
 * Whether every nonce that was drawn to fill a deposit is used up on its chain, as the chain is now, by something that paid
 * nothing: before that nothing else may be signed for the deposit.
 */
export async function isUsedUp(
  depositId: string,
  {
    chains,
    isAway,
    store,
  }: Pick<Context, "chains" | "store"> & {
    /** Whether a chain's node does not answer at present: what was drawn there is not used up for certain. */
    readonly isAway?: ((chainId: number) => boolean) | undefined;
  },
): Promise<boolean> {
  const rows = await store
    .selectFrom("transactions")
    .select(["block_hash", "chain_id", "hash", "kind", "note", "state"])
    .where("deposit_id", "=", depositId)
    .where("kind", "!=", "refund")
    .execute();
  for (const { block_hash, chain_id, hash, kind, note, state } of rows) {
    if (state === "signed") return false;
    if (state === "mined" && !isCancel(kind)) return false;
    // One that cancels counts as reverted where the one that it cancels was mined, and reverted.
    if (isAway?.(chain_id) === true) return false;
    const isOther = isCancel(kind) && state === "reverted";
    const used = isOther ? (JSON.parse(note ?? "{}") as Cancelled).hash : hash;
    const receipt = await chains
      .get(chain_id)
      ?.client.getTransactionReceipt({ hash: used as Hex })
      .catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return undefined;
        throw error;
      });
    // The chain moved: the search will tell.
    if (receipt?.blockHash !== block_hash) return false;
    if (state === "reverted" && receipt.status === "success") return false;
  }
  return true;
}
