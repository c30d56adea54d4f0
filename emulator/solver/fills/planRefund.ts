import type { Address } from "viem";
import type { Context } from "../../context/Context.ts";
import { parseIntent } from "../../requests/Intent.ts";
import { isNonceUsed } from "../settlement/isNonceUsed.ts";
import type { Work } from "../work/claimWork.ts";
import type { WorkPlan } from "../work/WorkPlan.ts";
import { prepareRefund } from "./prepareRefund.ts";

type RefundContext = Context & Parameters<typeof isNonceUsed>[1];

/** What to do about a deposit that goes back. */
export async function planRefund(work: Work, context: RefundContext): Promise<WorkPlan> {
  const { deposit, request } = work;
  const { faults } = context.control;
  const chain = context.chains.get(deposit.chain_id);
  if (chain === undefined) throw new Error(`chain ${deposit.chain_id} is not here`);
  if (!(await isNonceUsed(deposit.id, context))) return { next: "wait", work };
  const until =
    request.status === "pending" && deposit.not_before === null
      ? await faults.forFailure(request)
      : undefined;
  if (until !== undefined) return { next: "show-failure", until, work };
  const fault = await faults.forRefund(request);
  if (fault !== undefined) return { change: fault, next: "abandon", work };
  // An account on one chain may be somebody else's, or nobody's, on another: only the depositor is known to be there.
  const payee = deposit.reason === "DEPOSIT_CHAIN_MISMATCH" ? deposit.depositor : request.refund_to;
  const intent = parseIntent(request.intent);
  const prepared = await prepareRefund({ deposit, intent, payee: payee as Address }, chain, context);
  if (!("call" in prepared)) return { change: prepared, next: "abandon", work };
  const { call, gas, note, spends } = prepared;
  return { call, chain, gas, kind: "refund", next: "send", note, spends, work };
}
