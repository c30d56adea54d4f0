import { unitsToDecimal } from "../../../src/internal/amounts.ts";
import type { Chain, LocalCurrency } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { usdOf } from "../../money/prices.ts";
import type { Note } from "../../requests/forceOutcome.ts";
import { type Intent, parseIntent } from "../../requests/Intent.ts";
import { planDelivery } from "../../router/planDelivery.ts";
import { prepareFill } from "../../router/prepareFill.ts";
import type { Work } from "../work/claimWork.ts";
import type { Plan } from "../work/Plan.ts";
import { failReasonOf } from "./failReasonOf.ts";

/** What to do about a deposit that was accepted: fill it, or give it back for a reason that the present state gives. */
export async function planFill(work: Work, context: Context): Promise<Plan> {
  const { deposit, request } = work;
  const intent = parseIntent(request.intent);
  const chain = context.chains.get(intent.destination.chainId);
  if (chain === undefined) throw new Error(`chain ${intent.destination.chainId} is not here`);
  const refused = await refuseFill(work, context);
  if (refused !== undefined) return refused;
  const deposited = BigInt(deposit.amount);
  const prepared = await prepareFill(intent, deposited, chain, context);
  if ("call" in prepared) {
    const { call, gas } = prepared;
    const spends = { amount: spentOf(intent, deposited), currency: intent.fill.currency };
    const note = noteOf(intent, deposited, chain);
    return { call, chain, gas, kind: "fill", next: "send", note, spends, work };
  }
  const { details, failedCall } = prepared;
  const failReason = failReasonOf(intent, { failReason: prepared.failReason, message: details });
  return { change: { details, failedCall, failReason }, next: "give-back", work };
}

/** What speaks against a fill now without asking the chain: a fault, the order's deadline or the limit of one request. */
export async function refuseFill(work: Work, context: Context): Promise<Plan | undefined> {
  const { deposit, request } = work;
  const fault = await context.control.faults.forFill(request);
  if (fault !== undefined) {
    if ("until" in fault) return { next: "wait", work };
    return { change: fault, next: "give-back", work };
  }
  const refusal = refusalOf(parseIntent(request.intent), BigInt(deposit.amount), context);
  return refusal && { change: refusal, next: "give-back", work };
}

function refusalOf(intent: Intent, deposited: bigint, { chains, now, quoting }: Context) {
  if (now() > intent.expiresAt) {
    return { details: "The order's deadline has passed", failReason: "PROTOCOL_DEADLINE_EXPIRED" } as const;
  }
  const currency = currencyOf(chains.get(intent.destination.chainId), intent.fill.currency);
  if (currency === undefined || intent.useExternalLiquidity) return undefined;
  // What quotes are held against too: a deposit is worth more than its fill by the fees.
  if (usdOf(spentOf(intent, deposited), currency) <= quoting.capacityPerRequest) return undefined;
  return {
    details: "The fill is worth more than the solver lends to one request",
    failReason: "SOLVER_CAPACITY_EXCEEDED",
  } as const;
}

/** What the request says of a payment beyond the price of a fixed output. */
function noteOf(intent: Intent, deposited: bigint, chain: Chain): Note | undefined {
  const delivery = planDelivery(intent, deposited);
  const surplus = "surplus" in delivery ? (delivery.surplus ?? 0n) : 0n;
  if (surplus === 0n) return undefined;
  const currency = currencyOf(chain, intent.fill.currency);
  const amount = `${unitsToDecimal(surplus, currency?.decimals ?? 0)} ${currency?.symbol ?? intent.fill.currency}`;
  return { details: `More was paid than the quote asked for: the recipient gets ${amount} of it` };
}

function currencyOf(chain: Chain | undefined, address: string): LocalCurrency | undefined {
  return chain?.currencies.find((each) => each.address.toLowerCase() === address.toLowerCase());
}

function spentOf(intent: Intent, deposited: bigint): bigint {
  const delivery = planDelivery(intent, deposited);
  return "inventory" in delivery ? delivery.inventory : 0n;
}
