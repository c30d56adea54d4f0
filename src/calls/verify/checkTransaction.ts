import { zeroAddress } from "viem";
import type { EvmTransactionData } from "../../schema/quote/step.ts";
import { decodeCall } from "../decodeCall.ts";
import { checkDeposit } from "./checkDeposit.ts";
import { checkDirect, checkTagged, type PaymentCall } from "./checkDirect.ts";
import { checkRouted } from "./checkRouted.ts";
import { normalizeForComparison } from "./normalizeForComparison.ts";
import { usualMaximumGas } from "./proofDefaults.ts";
import { proofFunctions } from "./proofFunctions.ts";
import {
  expectEqual,
  expectRole,
  orderInput,
  type Payment,
  paysNative,
  type QuoteCheck,
  quantity,
  report,
} from "./QuoteCheck.ts";
import type { TrustedRouter } from "./TrustRoots.ts";

/** Checks a transaction of the user: an approval or the payment. */
export function checkTransaction(check: QuoteCheck, data: EvmTransactionData, path: string): void {
  const { policy, wanted } = check;
  const calldata = data.data ?? "0x";
  if (wanted.request === undefined) {
    // Without a request, a quote cannot prove its amounts, but a deposit for another order still proves it wrong.
    checkDeposit(check, { data: calldata, to: data.to }, `${path}.data`);
    return;
  }
  const call = decodeCall(proofFunctions, calldata);
  const isApproval = call?.functionName === "approve";
  if (data.chainId !== undefined)
    expectEqual(check, "QUOTE_CHAIN", `${path}.chainId`, wanted.originChainId, data.chainId);
  if (data.from !== undefined) expectEqual(check, "QUOTE_SENDER", `${path}.from`, wanted.user, data.from);
  const value = !isApproval && paysNative(check) ? wanted.amountIn : 0n;
  expectEqual(check, "QUOTE_VALUE", `${path}.value`, value, quantity(data.value ?? 0));
  const { maximumGas = usualMaximumGas } = policy;
  if (data.gas !== undefined && BigInt(data.gas) > maximumGas) {
    report(check, "QUOTE_GAS", `${path}.gas`, `at most ${maximumGas}`, data.gas);
  }
  if (isApproval) {
    const [spender, amount] = call.args;
    expectEqual(check, "QUOTE_CURRENCY", `${path}.to`, wanted.originCurrency, data.to);
    if (call.tag !== "0x") expectEqual(check, "QUOTE_CALL", `${path}.data`, check.requestId, call.tag);
    // An approval after the payment would remain.
    if (check.payments.length + check.permits.length > 0) {
      report(check, "QUOTE_PAYMENT", path, "approvals before the payment", "an approval after it");
    }
    check.approvals.push({ amount, path, spender });
    return;
  }
  check.payments.push({ path, ...checkPayment(check, { call, calldata, to: data.to }, path) });
}

function checkPayment(check: QuoteCheck, payment: PaymentCall, path: string): Omit<Payment, "path"> {
  const { amountIn, originCurrency } = check.wanted;
  const { call, to } = payment;
  const at = `${path}.data`;
  switch (call?.functionName) {
    case "depositNative":
    case "depositErc20": {
      const deposit = checkDeposit(check, { data: payment.calldata, to }, at);
      const isNative = deposit?.isNative === true;
      if (isNative) expectEqual(check, "QUOTE_CURRENCY", `${at}.token`, originCurrency, zeroAddress);
      if (!isNative) {
        expectEqual(check, "QUOTE_CURRENCY", `${at}.token`, originCurrency, deposit?.token);
        // The allowance may be larger than this quote's approval, or older.
        expectEqual(
          check,
          "QUOTE_AMOUNT",
          `${at}.amount`,
          amountIn,
          deposit?.amount ?? "the whole allowance",
        );
      }
      expectInput(check, path);
      return { kind: "order", puller: isNative ? undefined : to };
    }
    case "transfer": {
      expectEqual(check, "QUOTE_CURRENCY", `${path}.to`, originCurrency, to);
      expectEqual(check, "QUOTE_AMOUNT", `${at}.amount`, amountIn, call.args[1]);
      const kind = checkTagged(check, { tag: call.tag, to: call.args[0] }, `${at}.to`);
      if (kind === "order") expectInput(check, path);
      return { kind, puller: undefined };
    }
    case "multicall": {
      const [calls, refundTo, nftRecipient, metadata] = call.args;
      const by = routerAt(check, path, { isProxy: false, metadata, to });
      if (!paysNative(check))
        report(check, "QUOTE_CALL", at, "a payment of the token", "a multicall without it");
      const tag = metadata ?? call.tag;
      return {
        kind: checkRouted(check, { by, calls, isOpen: true, nftRecipient, refundTo, tag }, at),
        puller: undefined,
      };
    }
    case "transferAndMulticall": {
      const [tokens, amounts, calls, refundTo, nftRecipient, metadata] = call.args;
      const by = routerAt(check, path, { isProxy: true, metadata, to });
      checkPulled(check, { amounts, tokens }, at);
      const tag = metadata ?? call.tag;
      return {
        kind: checkRouted(check, { by, calls, isOpen: true, nftRecipient, refundTo, tag }, at),
        puller: to,
      };
    }
    case "permitTransferAndMulticall": {
      const [permits, calls, refundTo, nftRecipient, metadata] = call.args;
      const by = routerAt(check, path, { isProxy: true, metadata, to });
      const pulled = {
        amounts: permits.map(({ value }) => value),
        tokens: permits.map(({ token }) => token),
      };
      checkPulled(check, pulled, at);
      for (const { owner } of permits)
        expectEqual(check, "QUOTE_SENDER", `${at}.owner`, check.wanted.user, owner);
      const tag = metadata ?? call.tag;
      const kind = checkRouted(check, { by, calls, isOpen: true, nftRecipient, refundTo, tag }, at);
      return { bringsPermit: true, kind, puller: to };
    }
    default:
      return { kind: checkDirect(check, payment, path), puller: undefined };
  }
}

/** Finds the trusted router that is called, directly or by its approval proxy, and whose version has the function. */
function routerAt(
  check: QuoteCheck,
  path: string,
  { isProxy, metadata, to }: { isProxy: boolean; metadata: unknown; to: string },
): TrustedRouter | undefined {
  const version = metadata === undefined ? "v2.1" : "v3";
  const placeOf = (each: TrustedRouter) => (isProxy ? each.approvalProxy : each.router);
  const routers = (check.chains.origin?.routers ?? []).filter((each) => each.version === version);
  const role = isProxy ? `approval proxy ${version}` : `router ${version}`;
  expectRole(check, "QUOTE_TARGET", `${path}.to`, role, routers.map(placeOf), to);
  return routers.find((each) => normalizeForComparison(placeOf(each)) === normalizeForComparison(to));
}

/** Checks that the payment is exactly the order's input. */
function expectInput(check: QuoteCheck, path: string): void {
  const { amountIn, originCurrency } = check.wanted;
  const input = orderInput(check);
  if (input === undefined) return;
  expectEqual(check, "QUOTE_AMOUNT", `${path}.input.amount`, amountIn, input.amount);
  expectEqual(check, "QUOTE_CURRENCY", `${path}.input.currency`, originCurrency, input.currency);
}

/** Checks that the payment takes one token, exactly the paid amount. */
export function checkPulled(
  check: QuoteCheck,
  { amounts, tokens }: { amounts: readonly unknown[]; tokens: readonly unknown[] },
  path: string,
): void {
  expectEqual(check, "QUOTE_CURRENCY", `${path}.token`, check.wanted.originCurrency, tokens.join());
  expectEqual(check, "QUOTE_AMOUNT", `${path}.amount`, check.wanted.amountIn, amounts.map(quantity).join());
}
