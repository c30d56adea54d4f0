import { type Address, maxUint256 } from "viem";
import type { Chain, LocalCurrency } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { QuoteError } from "../../errors/QuoteError.ts";
import { amountWorth, divide, usdOf } from "../../money/prices.ts";
import type { Change } from "../../requests/applyTrigger.ts";
import type { Note } from "../../requests/forceOutcome.ts";
import { type Intent, parseIntent } from "../../requests/Intent.ts";
import { type SolverCall, transferCall } from "../../router/fillCall.ts";
import { findSwapLeg } from "../../router/findSwapLeg.ts";
import { prepareCall } from "../../router/prepareFill.ts";
import { exchangeCalls } from "../../router/routerCalls.ts";
import { routerTransaction } from "../../router/routerTransaction.ts";
import { legOutput, pathOf } from "../../router/SwapLeg.ts";
import type { DepositRow } from "../../store/tables.ts";
import { isNonceUsed } from "../settlement/isNonceUsed.ts";
import type { Work } from "../work/claimWork.ts";
import type { WorkPlan } from "../work/WorkPlan.ts";

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

const basisPoints = 10_000n;

/** What is given back, and to whom. */
type Refund = {
  readonly intent: Intent;
  readonly deposit: Pick<DepositRow, "amount" | "currency">;
  readonly payee: Address;
};

/** A refund that works, or why there is none. */
type PreparedRefund =
  | Pick<Extract<WorkPlan, { next: "send" }>, "call" | "gas" | "note" | "spends">
  | Pick<Change, "details" | "refundFailReason" | "failedCall">;

type Paid = {
  readonly currency: LocalCurrency;
  /** What is left of the deposit when the gas is paid. */
  readonly amount: bigint;
};

/**
 * The transaction that gives a deposit back, less what the transaction itself costs: in the currency that the user paid,
 * if his transaction had swapped that and the way back costs no more than the slippage he agreed to; else in the currency
 * of the deposit.
 */
async function prepareRefund(
  refund: Refund,
  chain: Chain,
  { accounts }: Pick<Context, "accounts">,
): Promise<PreparedRefund> {
  const currency = currencyOf(chain, refund.deposit.currency);
  if (currency === undefined)
    return { details: "The deposit is in a currency that the solver does not hold" };
  const solver = accounts.solver.account.address;
  const amount = BigInt(refund.deposit.amount);
  const reversed = await reverseSwap(refund, { amount, currency }, chain, solver);
  if (reversed !== undefined && "call" in reversed) return reversed;

  const transfer = (value: bigint) =>
    transferCall({
      amount: value,
      currency: currency.address,
      recipient: refund.payee,
      tag: refund.intent.requestId,
    });
  const trial = await prepareCall(transfer(amount), chain, solver);
  if (!("call" in trial)) return { details: trial.details, failedCall: trial.failedCall };
  const left = await lessGas({ amount, currency }, trial.gas, chain);
  if (left <= 0n) {
    return {
      details: "The deposit does not cover its refund's gas",
      refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND",
    };
  }
  const spends = { amount: left, currency: currency.address };
  return { call: transfer(left), gas: trial.gas, note: reversed, spends };
}

/** The way back through the pools; a note when there is none that is worth it, nothing where none is needed. */
async function reverseSwap(
  { intent, payee }: Refund,
  deposited: Paid,
  chain: Chain,
  solver: Address,
): Promise<Extract<PreparedRefund, { call: unknown }> | Note | undefined> {
  const { amount, currency } = deposited;
  const paid = currencyOf(chain, intent.origin.currency);
  const isSwapped =
    chain.definition.id === intent.origin.chainId &&
    isSame(currency.address, intent.deposit.currency) &&
    !isSame(intent.origin.currency, intent.deposit.currency);
  if (!isSwapped) return undefined;
  const leg = paid && (await findSwapLeg(chain, currency, paid, true).catch(noneOfBroken));
  if (paid === undefined || leg === undefined) {
    const details = "Paid out as it was deposited: no pool leads back to what the user paid";
    return { details, refundFailReason: "SWAP_CURRENCY_NOT_ON_ORIGIN" };
  }
  const slippage = basisPoints - BigInt(intent.slippageBps);
  const swap = (input: bigint): { readonly call: SolverCall; readonly minimum: bigint } => {
    const minimum = divide(legOutput(leg, input) * slippage, basisPoints, "up");
    const exchange = {
      amountIn: input,
      change: solver,
      deadline: maxUint256,
      output: { atLeast: minimum },
      path: pathOf(leg),
      to: payee,
    };
    const routed = {
      amount: input,
      calls: exchangeCalls(exchange, chain, intent.routerVersion),
      currency: currency.address,
      nftRecipient: payee,
      refundTo: payee,
      requestId: intent.requestId,
    };
    return { call: routerTransaction(routed, chain, intent.routerVersion), minimum };
  };
  const trial = await prepareCall(swap(amount).call, chain, solver);
  if (!("call" in trial)) return { details: `REVERSE_SWAP_FAILED: ${trial.details}` };
  const left = await lessGas(deposited, trial.gas, chain);
  if (left <= 0n) return undefined;
  const worth = divide(usdOf(left, currency) * slippage, basisPoints, "up");
  if (usdOf(legOutput(leg, left), paid) < worth) {
    return { details: "REVERSE_SWAP_FAILED: the way back would cost more than the slippage of the quote" };
  }
  const spends = { amount: left, currency: currency.address };
  return { call: swap(left).call, gas: trial.gas, note: undefined, spends };
}

/** A pool that does not tell its reserves is none: the deposit goes back as it is. */
function noneOfBroken(error: unknown): undefined {
  if (!(error instanceof QuoteError)) throw error;
}

/** What is left of an amount when the gas of its refund is paid for in it. */
async function lessGas({ amount, currency }: Paid, gas: bigint, chain: Chain): Promise<bigint> {
  const [native] = chain.currencies;
  if (native === undefined) throw new Error("a chain without a native currency");
  const cost = gas * (await chain.client.getGasPrice());
  return amount - amountWorth(usdOf(cost, native), currency, "up");
}

function currencyOf(chain: Chain, address: string): LocalCurrency | undefined {
  return chain.currencies.find((each) => isSame(each.address, address));
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
