import type { Transaction } from "kysely";
import { type Hex, keccak256, parseTransaction } from "viem";
import type { Context } from "../../context/Context.ts";
import type { Tables, TransactionRow } from "../../store/tables.ts";

/** Gas of a plain transfer. */
const gas = 21_000n;
/** Nodes replace a pending transaction only if the fees rise by a tenth. */
const raised = (fee: bigint | undefined) => ((fee ?? 0n) * 5n) / 4n + 1n;

/**
 * Replaces a stored payment by a transaction with the same nonce that moves no money, in the caller's database
 * transaction. The payment is never sent again. Without the replacement later nonces could not be mined.
 */
export async function cancel(
  transaction: Transaction<Tables>,
  row: TransactionRow,
  { accounts }: Pick<Context, "accounts">,
): Promise<void> {
  const { at, chain_id, deposit_id, hash, kind, nonce, request_id } = row;
  if (kind === "cancel") throw new Error(`${hash} is a cancel itself`);
  const { account } = accounts.solver;
  const before = parseTransaction(row.raw as Hex);
  const raw = await account.signTransaction({
    chainId: chain_id,
    gas,
    maxFeePerGas: raised(before.maxFeePerGas),
    maxPriorityFeePerGas: raised(before.maxPriorityFeePerGas),
    nonce,
    to: account.address,
    type: "eip1559",
  });
  const { id } = await transaction
    .insertInto("transactions")
    .values({
      ...{ at, chain_id, deposit_id, nonce, raw, request_id },
      hash: keccak256(raw),
      kind: "cancel",
      state: "signed",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await transaction.updateTable("transactions").set({ replaced_by: id }).where("id", "=", row.id).execute();
}
