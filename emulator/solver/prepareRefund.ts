import type { Address } from "viem";
import type { RefundFailReason } from "../../src/schema/refundFailReason.ts";
import type { Context } from "../Context.ts";
import type { Chain } from "../chains/Chain.ts";
import { amountWorth, usdOf } from "../quote/prices.ts";
import type { Intent } from "../store/Intent.ts";
import type { DepositRow } from "../store/tables.ts";
import { transferCall } from "./fillCall.ts";
import { type Prepared, prepareCall } from "./prepareFill.ts";

/** A refund that works, or why there is none. */
export type PreparedRefund =
  | Extract<Prepared, { call: unknown }>
  | { readonly details: string; readonly refundFailReason?: RefundFailReason };

/** The transfer that gives a deposit back, less what the transfer itself costs. */
export async function prepareRefund(
  intent: Pick<Intent, "requestId" | "refundTo">,
  deposit: Pick<DepositRow, "amount" | "currency">,
  chain: Chain,
  { accounts }: Pick<Context, "accounts">,
): Promise<PreparedRefund> {
  const currency = chain.currencies.find(({ address }) => address.toLowerCase() === deposit.currency);
  const [native] = chain.currencies;
  if (currency === undefined || native === undefined)
    return { details: "The deposit is in an unknown currency" };
  const solver = accounts.solver.account.address;
  const transfer = (amount: bigint) =>
    transferCall({
      amount,
      currency: currency.address as Address,
      recipient: intent.refundTo,
      tag: intent.requestId,
    });

  const whole = BigInt(deposit.amount);
  const trial = await prepareCall(transfer(whole), chain, solver);
  if (!("call" in trial)) return { details: trial.details };
  const gasCost = trial.gas * (await chain.client.getGasPrice());
  const amount = whole - amountWorth(usdOf(gasCost, native), currency, "up");
  if (amount <= 0n) {
    return {
      details: "The deposit does not cover its refund's gas",
      refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND",
    };
  }
  return { call: transfer(amount), gas: trial.gas };
}
