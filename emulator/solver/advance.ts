import type { Context } from "../Context.ts";
import type { Chain } from "../chains/Chain.ts";
import { applyTrigger } from "../lifecycle/applyTrigger.ts";
import { type Intent, parseIntent } from "../store/Intent.ts";
import type { DepositRow } from "../store/tables.ts";
import { prepareFill } from "./prepareFill.ts";
import { prepareRefund } from "./prepareRefund.ts";
import { isSecondDeposit, settle } from "./settle.ts";
import { signAndStore } from "./submit.ts";

/**
 * One round of the solver's work. What there is to do is read from the database alone, so that a restart goes on where
 * the last run stopped: stored transactions are sent and settled, accepted deposits filled, refused ones given back.
 */
export async function advance(context: Context): Promise<void> {
  for (const row of await context.store
    .selectFrom("transactions")
    .selectAll()
    .where("state", "=", "signed")
    .orderBy("id")
    .execute()) {
    await settle(row, context);
  }
  for (const deposit of await depositsWithout("fill", "accepted", context)) await fill(deposit, context);
  for (const deposit of await depositsWithout("refund", "refused", context)) await refund(deposit, context);
}

async function depositsWithout(
  kind: "fill" | "refund",
  outcome: DepositRow["outcome"],
  { store }: Context,
): Promise<readonly DepositRow[]> {
  return store
    .selectFrom("deposits")
    .selectAll()
    .where("outcome", "=", outcome)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom("transactions")
            .select("transactions.id")
            .whereRef("transactions.deposit_id", "=", "deposits.id")
            .where("transactions.kind", "=", kind),
        ),
      ),
    )
    .orderBy("at")
    .execute();
}

async function fill(deposit: DepositRow, context: Context): Promise<void> {
  const intent = await intentOf(deposit, context);
  const chain = chainOf(intent.destination.chainId, context);
  const prepared = await prepareFill(intent, BigInt(deposit.amount), chain, context);
  if ("call" in prepared) {
    const particulars = { chain, deposit, kind: "fill" as const, requestId: intent.requestId };
    const row = await signAndStore(prepared, particulars, context, (transaction, txHash, at) =>
      applyTrigger(transaction, intent.requestId, { trigger: "fill-submitted", txHash }, at),
    );
    return settle(row, context);
  }
  const { details, failReason } = prepared;
  const at = context.now();
  await context.store.transaction().execute(async (transaction) => {
    await transaction
      .updateTable("deposits")
      .set({ outcome: "refused", reason: failReason })
      .where("id", "=", deposit.id)
      .execute();
    await applyTrigger(transaction, intent.requestId, { details, failReason, trigger: "fill-failed" }, at);
  });
}

async function refund(deposit: DepositRow, context: Context): Promise<void> {
  const intent = await intentOf(deposit, context);
  const chain = chainOf(deposit.chain_id, context);
  const prepared = await prepareRefund(intent, deposit, chain, context);
  if ("call" in prepared) {
    const particulars = { chain, deposit, kind: "refund" as const, requestId: intent.requestId };
    const row = await signAndStore(prepared, particulars, context, async () => undefined);
    return settle(row, context);
  }
  const at = context.now();
  await context.store.transaction().execute(async (transaction) => {
    const isSecond = await isSecondDeposit(transaction, deposit.id);
    await transaction
      .updateTable("deposits")
      .set({ outcome: "abandoned" })
      .where("id", "=", deposit.id)
      .execute();
    if (!isSecond)
      await applyTrigger(transaction, intent.requestId, { ...prepared, trigger: "refund-failed" }, at);
  });
}

async function intentOf(deposit: DepositRow, { store }: Context): Promise<Intent> {
  const { intent } = await store
    .selectFrom("requests")
    .select("intent")
    .where("id", "=", deposit.request_id)
    .executeTakeFirstOrThrow();
  return parseIntent(intent);
}

function chainOf(id: number, { chains }: Context): Chain {
  const chain = chains.get(id);
  if (chain === undefined) throw new Error(`chain ${id} is not here`);
  return chain;
}
