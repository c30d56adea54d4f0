import type { Context } from "../../../context/Context.ts";
import type { TransactionRow } from "../../../store/tables.ts";
import type { SolverLedgers } from "../../ledgers/SolverLedger.ts";

/**
 * Whether every nonce that was drawn to fill a request is used on its present chain by a transaction that paid nothing. Until
 * then the request's deposit must not be refunded.
 */
export async function isNonceUsed(
  { request_id }: Pick<TransactionRow, "request_id">,
  {
    isAway,
    ledgers,
    store,
  }: Pick<Context, "store"> & {
    readonly ledgers: SolverLedgers;
    /** Whether a chain's node is unreachable: its nonces do not count as used. */
    readonly isAway?: ((chainId: number) => boolean) | undefined;
  },
): Promise<boolean> {
  const rows = await store
    .selectFrom("transactions")
    .leftJoin("transactions as replaced", "replaced.replaced_by", "transactions.id")
    .select([
      "transactions.block_hash",
      "transactions.chain_id",
      "transactions.hash",
      "transactions.kind",
      "transactions.state",
      "replaced.hash as replaced_hash",
    ])
    .where("transactions.request_id", "=", request_id)
    .where("transactions.kind", "!=", "refund")
    .where("transactions.replaced_by", "is", null)
    .execute();
  for (const { block_hash, chain_id, hash, kind, replaced_hash, state } of rows) {
    if (state === "signed") return false;
    if (state === "mined" && kind !== "cancel") return false;
    if (isAway?.(chain_id) === true) return false;
    // A reverted cancel stands for the transaction it replaced, which was mined and reverted.
    const used = kind === "cancel" && state === "reverted" ? replaced_hash : hash;
    // A reorg happened: the next search records it.
    if ((await ledgers.get(chain_id)?.isStanding({ block_hash, hash: used ?? hash, state })) !== true)
      return false;
  }
  return true;
}
