import type { Transaction } from "kysely";
import type { Context } from "../Context.ts";
import { applyTrigger } from "../lifecycle/applyTrigger.ts";
import { type Outcome, outcomeOf, type StoredTransaction, send } from "../solver/settle.ts";
import { parseIntent } from "../store/Intent.ts";
import type { RequestRow, Tables } from "../store/tables.ts";
import { hasPermit } from "./permitWork.ts";
import { depositFailReason, failureOf, hindranceOf } from "./preparePermit.ts";

type Sent = StoredTransaction & { readonly chain_id: number };

/**
 * Sends the stored deposits that their chains have not got, in the order of their nonces, and records what became of those
 * that were mined. Safe to repeat: the bytes are the same each time. What a deposit brought is found where all deposits are.
 */
export async function settlePermits(context: Context): Promise<void> {
  const rows = await context.store
    .selectFrom("permits")
    .select(["request_id", "chain_id", "hash", "raw"])
    .where("state", "=", "signed")
    .orderBy("chain_id")
    .orderBy("nonce")
    .execute();
  for (const { chain_id, hash, raw, request_id } of rows) {
    if (hash === null || raw === null) throw new Error(`the permit of ${request_id} has no transaction`);
    await settleOne({ chain_id, hash, kind: "deposit by signature", raw, request_id }, context);
  }
}

async function settleOne(row: Sent, context: Context): Promise<void> {
  const chain = context.chains.get(row.chain_id);
  if (chain === undefined) throw new Error(`a permit is for chain ${row.chain_id}, which is not here`);
  const known = await outcomeOf(chain, row);
  if (known === undefined) await send(chain, row, context);
  const outcome = known ?? (await outcomeOf(chain, row));
  if (outcome === undefined) return;
  const at = context.now();
  const change = outcome.failure === undefined ? undefined : await changeOf(row, outcome.failure, context);
  await context.store.transaction().execute((transaction) => record(transaction, outcome, change, at));
}

type Failure = ReturnType<typeof failureOf>;

/** Why it reverted. What stands in its way now is what did: the money, or the time. */
async function changeOf(
  { chain_id, request_id }: Sent,
  { revert }: NonNullable<Outcome["failure"]>,
  { chains, now, store }: Context,
): Promise<Failure> {
  const request = await store
    .selectFrom("requests")
    .select("intent")
    .where("id", "=", request_id)
    .executeTakeFirstOrThrow();
  const intent = parseIntent(request.intent);
  const chain = chains.get(chain_id);
  const hindrance = chain && hasPermit(intent) ? await hindranceOf(intent, chain, now()) : undefined;
  return hindrance ?? failureOf(depositFailReason(revert.message, "TRANSACTION_REVERTED"), revert.message);
}

async function record(
  transaction: Transaction<Tables>,
  { blockAt, failure, receipt, row }: Outcome<Sent>,
  change: Failure | undefined,
  at: number,
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable("permits")
    .set({
      block_at: blockAt,
      block_hash: receipt.blockHash,
      block_number: Number(receipt.blockNumber),
      fee: (receipt.gasUsed * receipt.effectiveGasPrice).toString(),
      gas_used: Number(receipt.gasUsed),
      state: failure === undefined ? "mined" : "reverted",
    })
    .where("request_id", "=", row.request_id)
    .where("state", "=", "signed")
    .executeTakeFirstOrThrow();
  // Another process was quicker.
  if (numUpdatedRows === 0n || failure === undefined || change === undefined) return;
  // It may have been paid in another way meanwhile.
  if ((await statusOf(transaction, row.request_id)) !== "depositing") return;
  const { hash } = row;
  const failed = {
    ...change,
    failedCall: failure.call,
    failedTx: { blockNumber: Number(receipt.blockNumber), hash },
    txHash: hash,
  };
  await applyTrigger(transaction, row.request_id, { ...failed, trigger: "deposit-failed" }, at);
}

/** The status of a request, as the caller's transaction sees it. */
export async function statusOf(
  transaction: Transaction<Tables>,
  requestId: string,
): Promise<RequestRow["status"]> {
  const { status } = await transaction
    .selectFrom("requests")
    .select("status")
    .where("id", "=", requestId)
    .executeTakeFirstOrThrow();
  return status;
}
