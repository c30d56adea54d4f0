import type { Transaction } from "kysely";
import { type Hex, keccak256, parseTransaction } from "viem";
import type { Context } from "../Context.ts";
import type { Tables, TransactionRow } from "../store/tables.ts";

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
  await transaction
    .updateTable("transactions")
    .set({
      hash: keccak256(raw),
      kind: "cancel",
      note: JSON.stringify({ cancels: row.hash }),
      raw,
      tx_data: null,
    })
    .where("id", "=", row.id)
    .execute();
}

/**
 * Ends the cancelling transactions whose nonce another one has taken: the one that was to be cancelled was mined after all,
 * because some node still had it.
 */
export async function endOvertaken(
  rows: readonly TransactionRow[],
  { accounts, chains, log, store }: Pick<Context, "accounts" | "chains" | "log" | "store">,
): Promise<void> {
  const { address } = accounts.solver.account;
  for (const row of rows.filter(({ kind }) => kind === "cancel")) {
    const next = await chains.get(row.chain_id)?.client.getTransactionCount({ address });
    if (next === undefined || next <= row.nonce) continue;
    await store
      .updateTable("transactions")
      .set({ state: "reverted" })
      .where("id", "=", row.id)
      .where("state", "=", "signed")
      .execute();
    const { cancels } = JSON.parse(row.note ?? "{}") as { cancels?: Hex };
    const message = `chain ${row.chain_id} mined ${cancels} before it could be cancelled: what it paid is lost`;
    log({ level: "error", message, requestId: row.request_id });
  }
}
