import type { Chain, ShownChain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { faultSubjectColumns } from "../../context/FaultHooks.ts";
import { applyTrigger, readStatus } from "../../requests/applyTrigger.ts";
import { parseIntent } from "../../requests/Intent.ts";
import { isAdvanceOwed } from "../../requests/isAdvanceOwed.ts";
import { isPostgres } from "../../store/dialect/columnTypes.ts";
import type { RelayedDepositRow, StoreTransaction } from "../../store/tables.ts";
import { dueSince, isDueAt } from "../postponed.ts";
import { type ChainState, readChainStates, reserve, signNext } from "../receipts/chainState.ts";
import { dropUnneeded, moveRelayed, postponeRelayed } from "../relayedRows.ts";
import { failureOf, type PreparedRelay } from "./RelayedKind.ts";
import { relayedKinds } from "./relayedKinds.ts";
import { settleRelayed } from "./settleRelayed.ts";

/** Most sweeps of one round, and most other deposits: sweeps that wait for gas delay none of these. */
const batchSize = 64;

type Plan = {
  readonly row: RelayedDepositRow;
  readonly chain: Chain;
  readonly prepared: PreparedRelay;
};

/**
 * Advances the deposits that the service sends for the users of a chain, by one round. It signs and stores a deposit before
 * sending it, so that a restart can only send the same bytes.
 */
export async function advanceRelayed(chain: Chain, context: Context): Promise<void> {
  await settleRelayed(chain, context);
  const due = [
    ...(await loadDue(chain, { kind: "!=" }, context)),
    ...(await loadDue(chain, { kind: "=" }, context)),
  ];
  if (due.length === 0) return;
  const plans = await Promise.all(due.map((row) => makePlan(row, chain, context)));
  await signAll(
    plans.filter((plan) => plan !== undefined),
    context,
  );
  await settleRelayed(chain, context);
}

/** Loads the sweeps that have been due for the longest time, or such other deposits. */
export async function loadDue(
  { definition }: ShownChain,
  { kind, state = "due" }: { readonly kind: "=" | "!="; readonly state?: RelayedDepositRow["state"] },
  { store, workTime }: Context,
): Promise<readonly RelayedDepositRow[]> {
  return store
    .selectFrom("relayed_deposits")
    .selectAll()
    .where("state", "=", state)
    .where("chain_id", "=", definition.id)
    .where("kind", kind, "sweep")
    .where(isDueAt(workTime()))
    .orderBy(dueSince)
    .orderBy("at")
    .orderBy("request_id")
    .limit(batchSize)
    .execute();
}

/** A deposit that waits, or that fails to prepare, delays no other, and is retried later and later. */
async function makePlan(row: RelayedDepositRow, chain: Chain, context: Context): Promise<Plan | undefined> {
  try {
    const { intent, ...subject } = await context.store
      .selectFrom("requests")
      .select([...faultSubjectColumns, "intent"])
      .where("id", "=", row.request_id)
      .executeTakeFirstOrThrow();
    const until = await context.control.faults.forSignedDeposit(subject);
    if (until !== undefined) {
      await postponeRelayed(row, context.store, context, until);
      return undefined;
    }
    const deposit = { intent: parseIntent(intent), payload: row.payload };
    return { chain, prepared: await relayedKinds[row.kind].prepare(deposit, chain, context), row };
  } catch (cause) {
    const message = "preparing a relayed deposit failed";
    context.log({ cause, level: "error", message, requestId: row.request_id });
    await postponeRelayed(row, context.store, context);
    return undefined;
  }
}

/** Signs the deposits, or records why they fail. */
async function signAll(plans: readonly Plan[], context: Context): Promise<void> {
  const spends = ({ chain }: Plan) => ({ chain, spends: nothing });
  const states = await readChainStates(plans.map(spends), context);
  const at = context.now();
  await context.store.transaction().execute(async (transaction) => {
    for (const plan of plans) {
      if (!(await isStillDue(transaction, plan.row))) continue;
      await signOrDrop(transaction, plan, states.get(plan.chain.definition.id), context, at);
    }
  });
}

/** The user's money pays; the solver spends gas only. */
const nothing = { amount: 0n, currency: "0x0000000000000000000000000000000000000000" } as const;

async function signOrDrop(
  transaction: StoreTransaction,
  { chain, prepared, row }: Plan,
  state: ChainState | undefined,
  context: Context,
  at: number,
): Promise<void> {
  const { request_id } = row;
  if (state === undefined) throw new Error("the chain's state was not read");
  const isDepositing = (await readStatus(transaction, request_id)) === "depositing";
  if (!isDepositing && !(await isAdvanceOwed(transaction, request_id))) {
    return dropUnneeded(transaction, request_id);
  }
  const isAffordable = "call" in prepared && reserve({ ...prepared, spends: nothing }, state);
  if (isAffordable) {
    const signed = await signNext(transaction, prepared, state, context.accounts);
    await moveRelayed(transaction, request_id, "signed", signed);
    return;
  }
  const failure =
    "call" in prepared
      ? failureOf("SOLVER_BALANCE_TOO_LOW", "the solver cannot pay for the deposit's gas")
      : prepared;
  // The money is at the service's address already: the sweep waits for the solver's gas.
  if (row.kind === "sweep" && failure.failReason === "SOLVER_BALANCE_TOO_LOW") {
    context.log({ level: "error", message: lacksGas(chain), requestId: request_id });
    return postponeRelayed(row, transaction, context);
  }
  await moveRelayed(transaction, request_id, "dropped");
  // The request was filled in advance: its debt stays.
  if (!isDepositing) return;
  await applyTrigger(transaction, request_id, { ...failure, trigger: "deposit-failed" }, at);
}

export function lacksGas({ definition }: ShownChain): string {
  return `the solver lacks gas on ${definition.name}: the sweep of a deposit address waits`;
}

/** Another process may have handled it; the row is locked until the transaction ends. */
export async function isStillDue(
  transaction: StoreTransaction,
  { request_id }: Pick<RelayedDepositRow, "request_id">,
): Promise<boolean> {
  const row = await transaction
    .selectFrom("relayed_deposits")
    .select("state")
    .where("request_id", "=", request_id)
    .$if(isPostgres(transaction), (query) => query.forUpdate())
    .executeTakeFirst();
  return row?.state === "due";
}
