import { type Address, isAddressEqual, maxUint256 } from "viem";
import type { Chain, LocalCurrency } from "../../../chains/Chain.ts";
import type { Context } from "../../../context/Context.ts";
import { findCurrency } from "../../../currencies/currencyId.ts";
import { QuoteError } from "../../../errors/refusals.ts";
import { amountWorth, divide, usdOf } from "../../../money/prices.ts";
import type { Note } from "../../../requests/applyTrigger.ts";
import { type SolverCall, transferCall } from "../../../router/fillCall.ts";
import { prepareCall } from "../../../router/prepareFill.ts";
import { exchangeCalls, routerTransaction } from "../../../router/routerCalls.ts";
import { findSwapLeg, legOutput, pathOf } from "../../../router/SwapLeg.ts";
import type { EvmPayment } from "../../receipts/chainState.ts";
import type { Refund, Unprepared } from "../../SolverLedger.ts";

const basisPoints = 10_000n;

/** A refund that succeeds in a simulation, or the reason why none does. */
type PreparedRefund = EvmPayment | Unprepared;

type Paid = {
  readonly currency: LocalCurrency;
  /** The deposit less gas. */
  readonly amount: bigint;
};

/**
 * Prepares the transaction that refunds a deposit less its own gas. It pays in the currency that the user paid,
 * if the user's transaction swapped that and the swap back costs no more than the quoted slippage. Otherwise it
 * pays in the currency of the deposit.
 */
export async function prepareRefund(
  refund: Refund,
  chain: Chain,
  { accounts }: Pick<Context, "accounts">,
): Promise<PreparedRefund> {
  const currency = findCurrency(chain, refund.deposit.currency);
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
  const left = await deductGas({ amount, currency }, trial.gas, chain);
  if (left <= 0n) {
    return {
      details: "The deposit does not cover its refund's gas",
      refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND",
    };
  }
  const spends = { amount: left, currency: currency.address };
  return { call: transfer(left), gas: trial.gas, note: reversed, spends };
}

/**
 * Prepares the swap back through the pools. Returns a note when no swap is worthwhile, and `undefined` when none is
 * needed.
 */
async function reverseSwap(
  { intent, payee }: Refund,
  deposited: Paid,
  chain: Chain,
  solver: Address,
): Promise<Extract<PreparedRefund, { call: unknown }> | Note | undefined> {
  const { amount, currency } = deposited;
  const paid = findCurrency(chain, intent.origin.currency);
  const isSwapped =
    chain.definition.id === intent.origin.chainId &&
    isAddressEqual(currency.address, intent.deposit.currency) &&
    !isAddressEqual(intent.origin.currency, intent.deposit.currency);
  if (!isSwapped) return undefined;
  const leg = paid && (await findSwapLeg(chain, currency, paid, true).catch(ignoreUnreadablePool));
  if (paid === undefined || leg === undefined) {
    const details = "Refunded unswapped: no pool returns the currency that the user paid";
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
  const left = await deductGas(deposited, trial.gas, chain);
  if (left <= 0n) return undefined;
  const worth = divide(usdOf(left, currency) * slippage, basisPoints, "up");
  if (usdOf(legOutput(leg, left), paid) < worth) {
    return { details: "REVERSE_SWAP_FAILED: the swap back would cost more than the quoted slippage" };
  }
  const spends = { amount: left, currency: currency.address };
  return { call: swap(left).call, gas: trial.gas, note: undefined, spends };
}

/** Treats a pool without readable reserves as missing: the deposit is refunded unswapped. */
function ignoreUnreadablePool(error: unknown): undefined {
  if (!(error instanceof QuoteError)) throw error;
}

/** Deducts the gas of a refund, in the currency that is refunded. */
async function deductGas({ amount, currency }: Paid, gas: bigint, chain: Chain): Promise<bigint> {
  const [native] = chain.currencies;
  const cost = gas * (await chain.client.getGasPrice());
  return amount - amountWorth(usdOf(cost, native), currency, "up");
}
