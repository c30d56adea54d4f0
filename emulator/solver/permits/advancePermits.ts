import type { Transaction } from "kysely";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { applyTrigger } from "../../requests/applyTrigger.ts";
import { statusOf } from "../../requests/findRequest.ts";
import { parseIntent } from "../../requests/Intent.ts";
import { isPostgres } from "../../store/dialect/columnTypes.ts";
import type { PermitRow, Tables } from "../../store/tables.ts";
import { type ChainState, readChainStates, reserve, signNext } from "../work/submit.ts";
import { hasPermit } from "./permitWork.ts";
import { failureOf, type PreparedPermit, preparePermit } from "./preparePermit.ts";
import { settlePermits } from "./settlePermits.ts";

/** Most permits of one round. */
const batchSize = 64;

type Plan = { readonly permit: PermitRow; readonly chain: Chain; readonly prepared: PreparedPermit };

/**
 * Advances the deposits that users of a chain signed, by one round. The service signs and stores a deposit
 * before sending it, so that a restart can only send the same bytes.
 */
export async function advancePermits(chain: Chain, context: Context): Promise<void> {
  await settlePermits(chain, context);
  const due = await context.store
    .selectFrom("permits")
    .selectAll()
    .where("state", "=", "due")
    .where("chain_id", "=", chain.definition.id)
    .orderBy("at")
    .orderBy("request_id")
    .limit(batchSize)
    .execute();
  if (due.length === 0) return;
  const plans = await Promise.all(due.map((permit) => makePlan(permit, chain, context)));
  await carryOut(
    plans.filter((plan) => plan !== undefined),
    context,
  );
  await settlePermits(chain, context);
}

/** A permit that fails to prepare delays no other, and is retried in the next round. */
async function makePlan(permit: PermitRow, chain: Chain, context: Context): Promise<Plan | undefined> {
  try {
    const { intent } = await context.store
      .selectFrom("requests")
      .select("intent")
      .where("id", "=", permit.request_id)
      .executeTakeFirstOrThrow();
    const offered = parseIntent(intent);
    if (!hasPermit(offered)) throw new Error(`the quote of ${permit.request_id} offered no permit`);
    return { chain, permit, prepared: await preparePermit(offered, permit, chain, context) };
  } catch (cause) {
    const message = "preparing a permit failed";
    context.log({ cause, level: "error", message, requestId: permit.request_id });
    return undefined;
  }
}

async function carryOut(plans: readonly Plan[], context: Context): Promise<void> {
  const spends = ({ chain }: Plan) => ({ chain, spends: nothing });
  const states = await readChainStates(plans.map(spends), context);
  const at = context.now();
  await context.store.transaction().execute(async (transaction) => {
    for (const plan of plans) {
      if (await isStillDue(transaction, plan.permit)) {
        await carryOutOne(transaction, plan, states.get(plan.chain.definition.id), context, at);
      }
    }
  });
}

/** The user's money pays; the solver spends gas only. */
const nothing = { amount: 0n, currency: "0x0000000000000000000000000000000000000000" } as const;

async function carryOutOne(
  transaction: Transaction<Tables>,
  { permit, prepared }: Plan,
  state: ChainState | undefined,
  { accounts }: Context,
  at: number,
): Promise<void> {
  const { request_id } = permit;
  const set = (values: Partial<PermitRow>) =>
    transaction.updateTable("permits").set(values).where("request_id", "=", request_id).execute();
  if (state === undefined) throw new Error("the chain's state was not read");
  // Another payment reached the request: the user must not pay twice.
  if ((await statusOf(transaction, request_id)) !== "depositing") {
    await set({ state: "dropped" });
    return;
  }
  const isAffordable = "call" in prepared && reserve({ ...prepared, spends: nothing }, state);
  if (isAffordable) {
    await set({ ...(await signNext(transaction, prepared, state, accounts)), state: "signed" });
    return;
  }
  const failure =
    "call" in prepared
      ? failureOf("SOLVER_BALANCE_TOO_LOW", "the solver cannot pay for the deposit's gas")
      : prepared;
  await set({ state: "dropped" });
  await applyTrigger(transaction, request_id, { ...failure, trigger: "deposit-failed" }, at);
}

/** Another process may have handled it; the row is locked until the transaction ends. */
async function isStillDue(
  transaction: Transaction<Tables>,
  { request_id }: Pick<PermitRow, "request_id">,
): Promise<boolean> {
  const row = await transaction
    .selectFrom("permits")
    .select("state")
    .where("request_id", "=", request_id)
    .$if(isPostgres(transaction), (query) => query.forUpdate())
    .executeTakeFirst();
  return row?.state === "due";
}
