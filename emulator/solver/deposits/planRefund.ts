import type { Address } from "viem";
import type { Context } from "../../context/Context.ts";
import { type Intent, parseIntent } from "../../requests/Intent.ts";
import type { TransactionRow } from "../../store/tables.ts";
import type { Refund, SolverLedger, SolverLedgers } from "../SolverLedger.ts";
import type { Work, WorkPlan } from "./claimWork.ts";

type RefundContext = Context & Parameters<typeof isNonceUsed>[1];

export async function planRefund(work: Work, context: RefundContext): Promise<WorkPlan> {
  const { deposit, request } = work;
  const { faults } = context.control;
  const ledger = context.ledgers.get(deposit.chain_id);
  if (ledger === undefined) throw new Error(`chain ${deposit.chain_id} is not configured`);
  if (!(await isNonceUsed({ request_id: request.id }, context))) return { next: "wait", work };
  if (request.refund_to === null) return { change: { details: notRefunded(request) }, next: "abandon", work };
  const until =
    request.status === "pending" && deposit.not_before === null
      ? await faults.forFailure(request)
      : undefined;
  if (until !== undefined) return { next: "show-failure", until, work };
  const fault = await faults.forRefund(request);
  if (fault !== undefined) return { change: fault, next: "abandon", work };
  const intent = parseIntent(request.intent);
  const payment = await prepareAnyRefund({ deposit, intent, payee: choosePayee(work, intent) }, ledger);
  if (!("spends" in payment)) return { change: payment, next: "abandon", work };
  return { kind: "refund", ledger, next: "send", note: payment.note, payment, work };
}

/** Details of a deposit that stays with the service, with those of its failure. */
function notRefunded({ details }: Work["request"]): string {
  const sentence = "not refunded: the quote named no `refundTo`";
  return details === null || details === "" ? sentence : `${details}; ${sentence}`;
}

function choosePayee({ deposit, request }: Work, { depositAddress }: Intent): Address {
  // On the wrong chain the refund address may have another owner, or none. The depositor's address has been used there.
  const isDepositor = depositAddress?.refundsSender ?? deposit.chain_id !== request.origin_chain_id;
  return (isDepositor ? deposit.depositor : request.refund_to) as Address;
}

/** Prepares a refund to the payee, or to the recovery address if the payee rejects it. */
async function prepareAnyRefund(
  refund: Refund,
  ledger: SolverLedger,
): ReturnType<SolverLedger["prepareRefund"]> {
  const prepared = await ledger.prepareRefund(refund);
  const recovery = refund.intent.depositAddress?.recoveryAddress;
  const isRejected =
    !("spends" in prepared) && (prepared.failedCall !== undefined || prepared.isPayeeRejected === true);
  if (recovery === undefined || !isRejected) return prepared;
  return ledger.prepareRefund({ ...refund, payee: recovery as Address });
}

/**
 * Whether every nonce that was drawn to fill a request is used on its present chain by a transaction that paid nothing. Until
 * then the request's deposit must not be refunded.
 */
async function isNonceUsed(
  { request_id }: Pick<TransactionRow, "request_id">,
  {
    isAway,
    ledgers,
    store,
  }: Pick<Context, "store"> & {
    readonly ledgers: SolverLedgers;
    /** Whether a chain's node is unreachable: its nonces do not count as used. */
    readonly isAway?: ((chainId: number) => boolean) | undefined;
  },
): Promise<boolean> {
  const rows = await store
    .selectFrom("transactions")
    .select(["block_hash", "chain_id", "hash", "kind", "state"])
    .where("request_id", "=", request_id)
    .where("kind", "!=", "refund")
    .where("replaced_by", "is", null)
    .execute();
  for (const { chain_id, kind, ...row } of rows) {
    if (row.state === "signed") return false;
    if (row.state === "mined" && kind !== "cancel") return false;
    if (isAway?.(chain_id) === true) return false;
    // A reorg happened: the next search records it.
    if ((await ledgers.get(chain_id)?.isStanding(row)) !== true) return false;
  }
  return true;
}
