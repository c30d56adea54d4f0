import type { Context } from "../../context/Context.ts";
import { holdsFor, lockSponsors, takeFrom } from "../../money/sponsorLedger.ts";
import { applyTrigger } from "../../requests/applyTrigger.ts";
import type { StoreTransaction } from "../../store/tables.ts";
import type { PaymentSigner, Signed, SolverLedger, SolverLedgers } from "../SolverLedger.ts";
import { batchSize, claimWork, type Work, type WorkPlan } from "./claimWork.ts";
import { isObligation, lockDeposit, moveDeposit, postponeDeposit } from "./depositRows.ts";
import { releaseObligation } from "./payBackAdvance.ts";
import { planFill, refuseFill } from "./planFill.ts";
import { planRefund } from "./planRefund.ts";
import { type ReceiptPolls, settleAll } from "./settle.ts";

type RefundingContext = Context & {
  readonly ledgers: SolverLedgers;
  /** Called when a refund becomes due, perhaps on another chain. */
  readonly onRefundDue: () => void;
};

type RoundContext = RefundingContext & {
  /** Whether a chain's node is unreachable at present. */
  readonly isAway: (chainId: number) => boolean;
};

/**
 * Runs one round of the solver's work on a ledger: sends and settles stored transactions, fills accepted deposits,
 * refunds refused ones. All work is read from the database, so that a restart resumes where the last run stopped.
 */
export async function runSolverRound(
  ledger: SolverLedger,
  context: RoundContext,
  polls: ReceiptPolls,
): Promise<void> {
  const { id } = ledger.definition;
  const settle = async () => {
    if (await settleAll(ledger, context, polls)) context.onRefundDue();
  };
  await settle();
  const failed = new Set<string>();
  let isMore = true;
  while (isMore) {
    const work = await claimWork(context, { fills: [id], refunds: [id] }, failed);
    if (work.length === 0) return;
    // A batch may leave more. New work, such as a refund, starts a round of its own.
    isMore = work.length === batchSize;
    const plan = (each: Work) =>
      each.deposit.state === "fill-due" ? planFill(each, context) : planRefund(each, context);
    await carryOut(await makePlans(work, plan, failed, context), failed, context);
    await settle();
  }
}

/**
 * Refunds deposits whose fill is refused without asking its unreachable chain, as after the order's deadline.
 * The others wait until the chain is back.
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

/** Plans in parallel. A deposit whose plan fails delays no other, and is retried in the next round. */
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
        const message = "planning a deposit failed";
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
  const fills = sendings.filter(({ kind }) => kind === "fill").map(({ work }) => work.request);
  const signers = await openSigners(sendings);
  const isRefundDue = await context.store.transaction().execute(async (transaction) => {
    // A reorg may have removed a deposit, or another process may have handled it first.
    const present: WorkPlan[] = [];
    for (const plan of plans) {
      const { id, state } = plan.work.deposit;
      if ((await lockDeposit(transaction, id))?.state === state) present.push(plan);
    }
    const funds = { signers, sponsors: await lockSponsors(transaction, fills) };
    let isRefund = false;
    for (const wanted of present) {
      const plan = fundedPlan(wanted, funds);
      await applyPlan(transaction, plan, signers, context);
      if (plan.next === "refund") isRefund = true;
      // The next round retries: the obstacle may end early.
      if (plan.next === "wait") failed.add(plan.work.deposit.id);
    }
    return isRefund;
  });
  if (isRefundDue) context.onRefundDue();
}

type Funds = {
  readonly signers: Signers;
  /** Balances of the locked sponsors. */
  readonly sponsors: Map<string, bigint>;
};

/** Reserves the money of a plan, the sponsor's and the solver's; without it, the plan for its lack. */
function fundedPlan(plan: WorkPlan, { signers, sponsors }: Funds): WorkPlan {
  if (plan.next !== "send") return plan;
  const { request } = plan.work;
  const isSponsored = plan.kind === "fill";
  if (isSponsored && !holdsFor(sponsors, request)) return unsponsored(plan);
  if (!requireSigner(plan, signers).reserve(plan.payment)) return unaffordable(plan);
  if (isSponsored) takeFrom(sponsors, request);
  return plan;
}

function requireSigner({ ledger }: Sending, signers: Signers): PaymentSigner {
  const signer = signers.get(ledger);
  if (signer === undefined) throw new Error("the ledger's state was not read");
  return signer;
}

type Signers = ReadonlyMap<SolverLedger, PaymentSigner>;

/** Reads the state that payments depend on, once for each ledger. */
async function openSigners(sendings: readonly Sending[]): Promise<Signers> {
  const byLedger = [...Map.groupBy(sendings, ({ ledger }) => ledger)];
  return new Map(
    await Promise.all(
      byLedger.map(async ([ledger, those]) => {
        const payments = those.map(({ payment }) => payment);
        return [ledger, await ledger.openSigner(payments)] as const;
      }),
    ),
  );
}

async function applyPlan(
  transaction: StoreTransaction,
  plan: WorkPlan,
  signers: Signers,
  context: Context,
): Promise<void> {
  const at = context.now();
  const { deposit, request } = plan.work;
  switch (plan.next) {
    case "send":
      await moveDeposit(transaction, deposit, `${plan.kind}-signed`);
      return storeSigned(
        transaction,
        plan,
        await requireSigner(plan, signers).sign(transaction, plan.payment),
        at,
      );
    case "refund":
      if (isObligation(deposit)) return releaseObligation(transaction, deposit, plan.change, context);
      await moveDeposit(transaction, deposit, "fill-failed", plan.change.failReason ?? null);
      return applyTrigger(transaction, request.id, { ...plan.change, trigger: "fill-failed" }, at);
    case "abandon": {
      await moveDeposit(transaction, deposit, "refund-failed");
      // The failure was shown already.
      if (request.status === "failure") {
        await applyTrigger(transaction, request.id, { trigger: "refund-begun" }, at);
      }
      return applyTrigger(transaction, request.id, { ...plan.change, trigger: "refund-failed" }, at);
    }
    case "show-failure":
      await postponeDeposit(transaction, { ...deposit, not_before: plan.until });
      return applyTrigger(transaction, request.id, { trigger: "failure-shown" }, at);
    case "wait":
      await postponeDeposit(transaction, deposit);
  }
}

/** The plan for a fill whose sponsor cannot pay: nothing of it is charged, and the deposit is refunded. */
function unsponsored({ work }: Sending): WorkPlan {
  const failReason = "SPONSOR_BALANCE_TOO_LOW" as const;
  return { change: { details: "The sponsor cannot pay the fees", failReason }, next: "refund", work };
}

/** The plan for a transaction that the solver cannot pay for. */
function unaffordable({ kind, work }: Sending): WorkPlan {
  if (kind === "refund") {
    return { change: { details: "The solver does not hold the refund" }, next: "abandon", work };
  }
  const change = {
    details: "The solver does not hold the output",
    failReason: "SOLVER_BALANCE_TOO_LOW",
  } as const;
  return { change, next: "refund", work };
}

type Sending = Extract<WorkPlan, { next: "send" }>;

/**
 * Stores a signed payment before it is sent, in the caller's transaction, and moves its request: after a crash the same
 * bytes are sent.
 */
async function storeSigned(
  transaction: StoreTransaction,
  { kind, ledger, note, work }: Sending,
  signed: Signed,
  at: number,
): Promise<void> {
  const { deposit, request } = work;
  await transaction
    .insertInto("transactions")
    .values({
      ...signed,
      at,
      chain_id: ledger.definition.id,
      deposit_id: deposit.id,
      details: note?.details ?? null,
      kind,
      refund_fail_reason: note?.refundFailReason ?? null,
      request_id: request.id,
      state: "signed",
    })
    .execute();
  if (kind === "fill") {
    await applyTrigger(transaction, request.id, { trigger: "fill-submitted", txHash: signed.hash }, at);
  } else if (request.status === "failure") {
    await applyTrigger(transaction, request.id, { trigger: "refund-begun" }, at);
  }
}
