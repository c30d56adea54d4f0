import type { Transaction, Updateable } from "kysely";
import type { Chain } from "../chains/Chain.ts";
import type { Context } from "../context/Context.ts";
import { applyTrigger } from "../requests/applyTrigger.ts";
import { isPostgres } from "../store/dialect/columnTypes.ts";
import type { Tables } from "../store/tables.ts";
import { planFill, refuseFill } from "./fills/planFill.ts";
import { planRefund } from "./fills/planRefund.ts";
import { type ReceiptPolls, settleAll } from "./settlement/settle.ts";
import { claimWork, type Work } from "./work/claimWork.ts";
import { type ChainState, readChainStates, reserve, type Sending, signAndStore } from "./work/submit.ts";
import type { WorkPlan } from "./work/WorkPlan.ts";

type RefundingContext = Context & {
  /** Called when a deposit is to go back: that may be the work of another chain. */
  readonly onRefundDue: () => void;
};

/** What advancing a chain needs of the others. */
export type RoundContext = RefundingContext & {
  /** Whether a chain's node does not answer at present. */
  readonly isAway: (chainId: number) => boolean;
};

/**
 * One round of the solver's work on a chain. What there is to do is read from the database alone, so that a restart goes on
 * where the last run stopped: stored transactions are sent and settled, accepted deposits filled, refused ones given back.
 *
 * @param polls What was seen of the chain's transactions that are under way; it may be lost.
 */
export async function runSolverRound(
  chain: Chain,
  context: RoundContext,
  polls: ReceiptPolls,
): Promise<void> {
  const { id } = chain.definition;
  const settle = async () => {
    if (await settleAll(chain, context, polls)) context.onRefundDue();
  };
  await settle();
  const failed = new Set<string>();
  for (;;) {
    const work = await claimWork(context, { fills: [id], refunds: [id] }, failed);
    if (work.length === 0) return;
    const plan = (each: Work) =>
      each.deposit.todo === "fill" ? planFill(each, context) : planRefund(each, context);
    await carryOut(await makePlans(work, plan, failed, context), failed, context);
    await settle();
  }
}

/**
 * Gives back what would have been filled on chains that are away, where the order's deadline has passed or the fill is refused
 * without asking the chain. All else waits until they are back.
 */
export async function refuseExpired(chainIds: readonly number[], context: RefundingContext): Promise<void> {
  const failed = new Set<string>();
  while (chainIds.length > 0) {
    const work = await claimWork(context, { fills: chainIds, refunds: [] }, failed);
    if (work.length === 0) return;
    const plan = async (each: Work): Promise<WorkPlan> =>
      (await refuseFill(each, context)) ?? { next: "wait", work: each };
    await carryOut(await makePlans(work, plan, failed, context), failed, context);
  }
}

/** Plans side by side: one that cannot be made now holds up no other, and is tried again in the next round. */
async function makePlans(
  works: readonly Work[],
  plan: (work: Work) => Promise<WorkPlan>,
  failed: Set<string>,
  context: Context,
): Promise<readonly WorkPlan[]> {
  const plans = await Promise.all(
    works.map(async (work) => {
      return plan(work).catch((cause: unknown) => {
        failed.add(work.deposit.id);
        const message = "a deposit could not be dealt with";
        context.log({ cause, level: "error", message, requestId: work.request.id });
        return undefined;
      });
    }),
  );
  return plans.filter((plan) => plan !== undefined);
}

async function carryOut(
  plans: readonly WorkPlan[],
  failed: Set<string>,
  context: RefundingContext,
): Promise<void> {
  const sendings = plans.filter((plan) => plan.next === "send");
  const states = await readChainStates(sendings, context);
  const at = context.now();
  await context.store.transaction().execute(async (transaction) => {
    const stillDue = await lockDue(transaction, plans);
    for (const plan of plans) {
      const { deposit } = plan.work;
      // It may have vanished from its chain, or another process may have been quicker.
      if (stillDue.get(deposit.id) !== deposit.todo) continue;
      await carryOutOne(transaction, plan, states, context, at);
      // It is asked about again in the next round: what holds it up may be gone before its time.
      if (plan.next === "wait") failed.add(deposit.id);
    }
  });
  if (plans.some(({ next }) => next === "refund")) context.onRefundDue();
}

async function carryOutOne(
  transaction: Transaction<Tables>,
  plan: WorkPlan,
  states: ReadonlyMap<number, ChainState>,
  context: Context,
  at: number,
): Promise<void> {
  const { deposit, request } = plan.work;
  const set = (values: Updateable<Tables["deposits"]>) =>
    transaction.updateTable("deposits").set(values).where("id", "=", deposit.id).execute();
  const released = { claimed_until: null, not_before: null };
  switch (plan.next) {
    case "send": {
      const state = states.get(plan.chain.definition.id);
      if (state === undefined) throw new Error("a chain that was not read");
      if (!reserve(plan, state)) return carryOutOne(transaction, tooPoor(plan), states, context, at);
      await set({ ...released, todo: null });
      return signAndStore(transaction, plan, state, context, at);
    }
    case "refund":
      await set({ ...released, outcome: "refused", reason: plan.change.failReason ?? null, todo: "refund" });
      return applyTrigger(transaction, request.id, { ...plan.change, trigger: "fill-failed" }, at);
    case "abandon": {
      await set({ ...released, outcome: "abandoned", todo: null });
      // It is shown as failed already.
      if (request.status === "failure") {
        await applyTrigger(transaction, request.id, { trigger: "refund-begun" }, at);
      }
      return applyTrigger(transaction, request.id, { ...plan.change, trigger: "refund-failed" }, at);
    }
    case "show-failure":
      await set({ claimed_until: null, not_before: plan.until });
      return applyTrigger(transaction, request.id, { trigger: "failure-shown" }, at);
    case "wait":
      await set({ claimed_until: null });
  }
}

/** What becomes of a transaction that the solver cannot pay for. */
function tooPoor({ kind, work }: Sending): WorkPlan {
  if (kind === "refund") {
    return { change: { details: "The solver does not hold what is to go back" }, next: "abandon", work };
  }
  const change = {
    details: "The solver does not hold the output",
    failReason: "SOLVER_BALANCE_TOO_LOW",
  } as const;
  return { change, next: "refund", work };
}

/** What is still to be done about the deposits of some plans, held until the transaction ends. */
async function lockDue(transaction: Transaction<Tables>, plans: readonly WorkPlan[]) {
  if (plans.length === 0) return new Map<string, null>();
  const rows = await transaction
    .selectFrom("deposits")
    .select(["id", "todo"])
    .where(
      "id",
      "in",
      plans.map(({ work }) => work.deposit.id),
    )
    .$if(isPostgres(transaction), (query) => query.forUpdate())
    .execute();
  return new Map(rows.map(({ id, todo }) => [id, todo]));
}
