import type { Transaction } from "kysely";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { addRequestHash } from "../../requests/addRequestHash.ts";
import { forceOutcome, type Note, type Standing } from "../../requests/forceOutcome.ts";
import type { Tables, TransactionRow } from "../../store/tables.ts";
import { isCancel, type PayingKind } from "../../store/transactionKinds.ts";
import { type Cancelled, cancel } from "./cancel.ts";
import { deliveredOf } from "./deliveredOf.ts";
import { minedColumns, type Outcome, outcomeOf } from "./outcomeOf.ts";

/** The row of a transaction that was to be cancelled and was mined. */
type Restored = TransactionRow & { readonly kind: PayingKind };

/**
 * Ends the cancelling transactions whose nonce the one that was to be cancelled has taken after all, because some node still
 * had it. If it reverted it has paid nothing, as was wanted. If it paid, that is what the request ends with, and what was
 * signed to pay for the same deposit in the other way is cancelled in turn.
 *
 * @param chain Whose cancelling transactions are looked at; the other payment may be on another chain.
 */
export async function endOvertaken(chain: Chain, context: Context): Promise<void> {
  const { address } = context.accounts.solver.account;
  const rows = await context.store
    .selectFrom("transactions")
    .selectAll()
    .where("chain_id", "=", chain.definition.id)
    .where("state", "=", "signed")
    .orderBy("nonce")
    .execute();
  for (const row of rows.filter(({ kind }) => isCancel(kind))) {
    if ((await chain.client.getTransactionCount({ address })) <= row.nonce) continue;
    const { hash, kind, note, raw, tx_data } = JSON.parse(row.note ?? "{}") as Cancelled;
    const outcome = await outcomeOf(chain, { ...row, hash, kind, note, raw, tx_data } as Restored);
    // It was mined itself meanwhile, or the chain is about to be searched again.
    if (outcome === undefined) continue;
    const mined = minedColumns(outcome);
    const restored = outcome.failure === undefined ? { hash, kind, note, raw, tx_data } : {};
    await context.store.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable("transactions")
        .set({ ...restored, ...mined })
        .where("id", "=", row.id)
        .where("state", "=", "signed")
        .executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n && outcome.failure === undefined) {
        await recordPaid(transaction, outcome, context);
      }
    });
  }
}

/** What follows from a payment that was to be cancelled, for its deposit and request. */
async function recordPaid(
  transaction: Transaction<Tables>,
  { receipt, row }: Outcome<Restored>,
  context: Context,
): Promise<void> {
  await addRequestHash(transaction, { hash: row.hash, kind: row.kind, request_id: row.request_id });
  const deposit = await transaction
    .selectFrom("deposits")
    .selectAll()
    .where("id", "=", row.deposit_id)
    .executeTakeFirstOrThrow();
  const other = await transaction
    .selectFrom("transactions")
    .selectAll()
    .where("deposit_id", "=", row.deposit_id)
    .where("kind", "=", row.kind === "fill" ? "refund" : "fill")
    .executeTakeFirst();
  const note = row.note === null ? {} : (JSON.parse(row.note) as Note);
  const delivered = await deliveredOf(transaction, row, deposit, receipt, context.chains);
  const of = `chain ${row.chain_id} mined ${row.hash} before it could be cancelled`;
  if (other?.state === "mined") {
    const message = `${of}, and ${other.hash} had been paid for the same deposit: what it paid is lost`;
    context.log({ level: "error", message, requestId: row.request_id });
    const kept: Standing = { ...note, delivered: delivered?.toString() };
    const noted = transaction.updateTable("transactions").set({ note: JSON.stringify(kept) });
    await noted.where("id", "=", row.id).execute();
    return;
  }
  context.log({ level: "info", message: `${of}: the request ends with it`, requestId: row.request_id });
  if (other?.state === "signed") await cancel(transaction, other, context);
  await transaction
    .updateTable("deposits")
    .set({
      claimed_until: null,
      not_before: null,
      todo: null,
      ...(row.kind === "fill" && deposit.outcome !== "vanished" && { outcome: "accepted", reason: null }),
    })
    .where("id", "=", deposit.id)
    .execute();
  const at = context.now();
  const end = row.kind === "fill" ? "success" : "refund";
  const time = row.kind === "fill" && { fillTimeMs: Math.max(0, at - deposit.at) };
  await forceOutcome(transaction, row.request_id, end, { ...note, ...time, delivered, txHash: row.hash }, at);
}
