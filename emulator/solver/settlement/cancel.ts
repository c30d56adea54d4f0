import type { Transaction } from "kysely";
import { type Hex, keccak256, parseTransaction } from "viem";
import type { Context } from "../../context/Context.ts";
import type { Tables, TransactionRow } from "../../store/tables.ts";
import type { PayingKind } from "../../store/transactionKinds.ts";

/** What a transaction was before another took its place. */
export type Cancelled = Pick<TransactionRow, "hash" | "note" | "raw" | "tx_data"> & {
  readonly kind: PayingKind;
};

/** Gas of a transaction that does nothing. */
const gas = 21_000n;
/** Nodes let a transaction take the place of another only if it pays a tenth more. */
const raised = (fee: bigint | undefined) => ((fee ?? 0n) * 5n) / 4n + 1n;

/**
 * Gives the nonce of a stored transaction to one that does nothing: it must never be sent again, and those behind it cannot
 * go without it. Called in the transaction in which that becomes certain.
 */
export async function cancel(
  transaction: Transaction<Tables>,
  row: TransactionRow,
  { accounts }: Pick<Context, "accounts">,
): Promise<void> {
  const { account } = accounts.solver;
  const before = parseTransaction(row.raw as Hex);
  const raw = await account.signTransaction({
    chainId: row.chain_id,
    gas,
    maxFeePerGas: raised(before.maxFeePerGas),
    maxPriorityFeePerGas: raised(before.maxPriorityFeePerGas),
    nonce: row.nonce,
    to: account.address,
    type: "eip1559",
  });
  const { hash, kind, note, tx_data } = row;
  if (kind !== "fill" && kind !== "refund") throw new Error(`${hash} pays nothing`);
  const cancelled: Cancelled = { hash, kind, note, raw: row.raw, tx_data };
  await transaction
    .updateTable("transactions")
    .set({
      hash: keccak256(raw),
      kind: `cancel-${row.id}`,
      note: JSON.stringify(cancelled),
      raw,
      tx_data: null,
    })
    .where("id", "=", row.id)
    .execute();
}
