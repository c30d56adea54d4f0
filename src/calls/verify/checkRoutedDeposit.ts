import { zeroAddress } from "viem";
import { decodeCall } from "../decodeCall.ts";
import { checkDeposit, type Deposit } from "./checkDeposit.ts";
import { normalizeForComparison } from "./normalizeForComparison.ts";
import { proofFunctions } from "./proofFunctions.ts";
import { expectEqual, orderInput, type QuoteCheck, report } from "./QuoteCheck.ts";
import type { Routed, RoutedCall } from "./Routed.ts";

/** A deposit by a router. */
type RoutedDeposit = {
  readonly currency: string;
  /** Undefined for the router's whole balance. */
  readonly amount: bigint | undefined;
  /** Whether the router skips the deposit without an error when its balance is zero. */
  readonly maySkip: boolean;
};

/**
 * Checks the last call of a multicall for an order: one deposit of the order's input that must not be allowed to fail.
 * Adds a claim about the amount for a deposit of the whole balance.
 */
export function checkRoutedDeposit(check: QuoteCheck, routed: Routed, path: string): void {
  const { by, calls, isOpen } = routed;
  const deposits = calls.map((call, index) => readDeposit(check, call, by?.router, `${path}.calls.${index}`));
  const last = deposits.at(-1);
  const input = orderInput(check);
  if (last === undefined || input === undefined) {
    report(check, "QUOTE_ORDER_ID", path, `a deposit of ${check.orderId} as the last call`, "none");
    return;
  }
  const count = deposits.filter((each) => each !== undefined).length;
  if (count > 1) report(check, "QUOTE_PAYMENT", path, "one deposit", `${count} deposits`);
  expectEqual(check, "QUOTE_CURRENCY", `${path}.currency`, input.currency, last.currency);
  if (last.amount !== undefined) {
    expectEqual(check, "QUOTE_AMOUNT", `${path}.amount`, input.amount, last.amount);
  }
  if (!last.maySkip || by === undefined) return;
  const { router, version } = by;
  const index = calls.length - 1;
  const { amount: minimum, currency } = input;
  check.claims.push({
    account: router,
    calls,
    currency,
    index,
    isOpen,
    kind: "balance",
    minimum,
    path,
    router,
    version,
  });
}

/**
 * A deposit that is allowed to fail may leave the money on the router, so it does not count. Nor does a deposit through
 * another contract.
 */
function readDeposit(
  check: QuoteCheck,
  { allowFailure, callData, target, value }: RoutedCall,
  router: string | undefined,
  path: string,
): RoutedDeposit | undefined {
  if (allowFailure) return undefined;
  const call = decodeCall(proofFunctions, callData);
  const isOwn = normalizeForComparison(target) === normalizeForComparison(router) && value === 0n;
  if (call?.functionName === "cleanupNativeViaCall") {
    const [amount, to, data] = call.args;
    const deposit = isOwn ? checkDeposit(check, { data, to }, path) : undefined;
    if (deposit === undefined || !deposit.isNative) return undefined;
    return { amount: amount === 0n ? undefined : amount, currency: zeroAddress, maySkip: amount === 0n };
  }
  if (call?.functionName === "cleanupErc20sViaCall") {
    const [tokens, tos, datas, amounts] = call.args;
    const [[token], [to], [data], [amount]] = [tokens, tos, datas, amounts];
    const isOne = [tokens, tos, datas, amounts].every(({ length }) => length === 1);
    if (!isOwn || !isOne || !token || !to || !data || amount === undefined) return undefined;
    return spentBy(check, checkDeposit(check, { data, to }, path), { amount, path, token });
  }
  const deposit = checkDeposit(check, { data: callData, to: target }, path);
  if (deposit === undefined) return undefined;
  if (deposit.isNative) return { amount: value, currency: zeroAddress, maySkip: false };
  if (deposit.amount === undefined) return undefined;
  return { amount: deposit.amount, currency: String(deposit.token), maySkip: false };
}

/** The router approves the amount (zero: its whole balance), then deposits. */
function spentBy(
  check: QuoteCheck,
  deposit: Deposit | undefined,
  { amount, path, token }: { readonly amount: bigint; readonly path: string; readonly token: string },
): RoutedDeposit | undefined {
  if (deposit === undefined || deposit.isNative) return undefined;
  expectEqual(check, "QUOTE_CURRENCY", `${path}.token`, token, deposit.token);
  const maySkip = amount === 0n;
  if (deposit.amount === undefined) return { amount: maySkip ? undefined : amount, currency: token, maySkip };
  if (!maySkip) expectEqual(check, "QUOTE_AMOUNT", `${path}.amount`, amount, deposit.amount);
  return { amount: deposit.amount, currency: token, maySkip };
}
