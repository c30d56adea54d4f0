import { unitsToDecimal } from "../../../src/internal/amounts.ts";
import type { FailReason } from "../../../src/schema/request/failReason.ts";
import type { LocalCurrency } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { placesOf } from "../../context/places.ts";
import { findCurrency } from "../../currencies/currencyId.ts";
import { usdOf } from "../../money/prices.ts";
import type { Note } from "../../requests/applyTrigger.ts";
import { type Intent, parseIntent } from "../../requests/Intent.ts";
import { type Delivery, planDelivery, type Shortfall, spentBy } from "../../router/planDelivery.ts";
import type { SolverLedgers, Unprepared } from "../SolverLedger.ts";
import type { Work, WorkPlan } from "./claimWork.ts";

/** Intent and delivery of a deposit: computed once, used by every decision about its fill. */
type FillTerms = { readonly intent: Intent; readonly delivery: Delivery | Shortfall };

/** Plans an accepted deposit: a fill, or a refund for a reason that the present state gives. */
export async function planFill(
  work: Work,
  context: Context & { readonly ledgers: SolverLedgers },
): Promise<WorkPlan> {
  const terms = readTerms(work);
  const { delivery, intent } = terms;
  const ledger = context.ledgers.get(intent.destination.chainId);
  if (ledger === undefined) throw new Error(`chain ${intent.destination.chainId} is not configured`);
  const refused = await refuseFill(work, context, terms);
  if (refused !== undefined) return refused;
  const payment = await ledger.prepareFill(intent, delivery);
  if ("spends" in payment) {
    const note = surplusNote(terms, context);
    return { kind: "fill", ledger, next: "send", note, payment, work };
  }
  const { details = "", failedCall, failReason } = payment;
  const change = {
    details,
    failedCall,
    failReason: chooseFailReason(intent, { failReason, message: details }),
  };
  return { change, next: "refund", work };
}

/** Refuses a fill without asking its chain: by a fault, the order's deadline or the limit of one request. */
export async function refuseFill(
  work: Work,
  context: Context,
  terms = readTerms(work),
): Promise<WorkPlan | undefined> {
  const fault = await context.control.faults.forFill(work.request);
  if (fault !== undefined) {
    if ("until" in fault) return { next: "wait", work };
    return { change: fault, next: "refund", work };
  }
  const refusal = findRefusal(terms, context);
  return refusal && { change: refusal, next: "refund", work };
}

function readTerms({ deposit, request }: Work): FillTerms {
  const intent = parseIntent(request.intent);
  return { delivery: planDelivery(intent, BigInt(deposit.amount)), intent };
}

function findRefusal({ delivery, intent }: FillTerms, context: Context) {
  const { now, quoting } = context;
  if (now() > intent.expiresAt) {
    return { details: "The order's deadline has passed", failReason: "PROTOCOL_DEADLINE_EXPIRED" } as const;
  }
  const currency = spentCurrency(intent, context);
  if (currency === undefined || intent.useExternalLiquidity) return undefined;
  // Quotes have the same limit; a deposit exceeds its fill by the fees.
  if (usdOf(spentBy(delivery), currency) <= quoting.capacityPerRequest) return undefined;
  return {
    details: "The fill is worth more than the solver lends to one request",
    failReason: "SOLVER_CAPACITY_EXCEEDED",
  } as const;
}

/** Details for a request whose payer overpaid a fixed output. */
function surplusNote({ delivery, intent }: FillTerms, context: Context): Note | undefined {
  const surplus = "surplus" in delivery ? (delivery.surplus ?? 0n) : 0n;
  if (surplus === 0n) return undefined;
  const currency = spentCurrency(intent, context);
  const amount = `${unitsToDecimal(surplus, currency?.decimals ?? 0)} ${currency?.symbol ?? intent.fill.currency}`;
  return { details: `The deposit exceeds the quote: the recipient receives ${amount} of the surplus` };
}

/** The currency that the solver spends. */
function spentCurrency({ destination, fill }: Intent, context: Context): LocalCurrency | undefined {
  const chain = placesOf(context).get(destination.chainId);
  return chain && findCurrency(chain, fill.currency);
}

/** Revert messages of token libraries, and the fail reason of each for a user's calls. */
const callFailures: readonly (readonly [RegExp, FailReason])[] = [
  [/InsufficientAllowance|exceeds allowance/i, "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE"],
  [/InsufficientBalance|exceeds balance/i, "TRANSFER_AMOUNT_EXCEEDS_BALANCE"],
  [/TransferFromFailed|TRANSFER_FROM_FAILED/, "TRANSFER_FROM_FAILED"],
  [/TransferFailed|TRANSFER_FAILED/, "TRANSFER_FAILED"],
  [/INSUFFICIENT_OUTPUT_AMOUNT|Too little received/, "TOO_LITTLE_RECEIVED"],
  [/EnforcedPause|Pausable: paused/, "CONTRACT_PAUSED"],
];

/**
 * Chooses the fail reason of a fill that reverts in the simulation. Without calls, only the delivery itself can revert:
 * the recipient or the token rejects it.
 */
function chooseFailReason(
  { txs }: Pick<Intent, "txs">,
  { failReason, message }: { readonly failReason: Unprepared["failReason"]; readonly message: string },
): Unprepared["failReason"] {
  if (failReason !== "EXECUTION_REVERTED" && failReason !== "MISSING_REVERT_DATA") return failReason;
  if (txs.length === 0) return "DESTINATION_TOKEN_TRANSFER_REJECTED";
  return callFailures.find(([pattern]) => pattern.test(message))?.[1] ?? failReason;
}
