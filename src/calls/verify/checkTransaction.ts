import { type Hex, maxUint256 } from "viem";
import type { EvmTransactionData } from "../../schema/step.ts";
import { type DecodedCall, decodeCall } from "../decodeCall.ts";
import { serviceFunctions } from "../serviceFunctions.ts";
import { checkDeposit, checkDepository } from "./checkDeposit.ts";
import { checkSolver } from "./checkOrder.ts";
import { checkRouted, type Routed } from "./checkRouted.ts";
import { plain } from "./plain.ts";
import { among, amongTrusted, differ, paysNative, type QuoteCheck, quantity, same } from "./QuoteCheck.ts";
import { permit2 } from "./trusted.ts";

/** Selectors of the wrapped native currency. */
const wrap = "0xd0e30db0";
const unwrap = "0x2e1a7d4d";

type Call = DecodedCall<typeof serviceFunctions> | undefined;

/** A transaction of the user: an approval, or the payment. */
export function checkTransaction(check: QuoteCheck, data: EvmTransactionData, path: string): void {
  const { wanted } = check;
  const calldata = data.data ?? "0x";
  if (wanted.request === undefined) {
    // What a quote says of its own amounts proves nothing; that its deposit is not for its order proves it wrong.
    checkDeposit(check, { data: calldata, to: data.to }, `${path}.data`);
    return;
  }
  const call = decodeCall(serviceFunctions, calldata);
  const isApproval = call?.functionName === "approve";
  if (data.chainId !== undefined)
    same(check, "QUOTE_CHAIN", `${path}.chainId`, wanted.originChainId, data.chainId);
  if (data.from !== undefined) same(check, "QUOTE_SENDER", `${path}.from`, wanted.user, data.from);
  const value = !isApproval && paysNative(check) ? wanted.amountIn : 0n;
  same(check, "QUOTE_VALUE", `${path}.value`, value, quantity(data.value ?? 0));
  if (isApproval) {
    checkApproval(check, { amount: call.args[1], spender: call.args[0], token: data.to }, path);
    return;
  }
  check.payments.push(path);
  checkPayment(check, { call, calldata, to: data.to }, path);
}

function checkApproval(
  check: QuoteCheck,
  { amount, spender, token }: { amount: bigint; spender: string; token: string },
  path: string,
): void {
  const { wanted } = check;
  same(check, "QUOTE_CURRENCY", `${path}.to`, wanted.originCurrency, token);
  amongTrusted(check, "QUOTE_SPENDER", `${path}.data.spender`, "spenders", spender);
  const isPermit2 = plain(spender) === permit2;
  if (!isPermit2) among(check, "QUOTE_SPENDER", `${path}.data.spender`, laterTargets(check), spender);
  // Permit2 asks for each payment; anybody else could take more than is paid now.
  const limit = isPermit2 ? maxUint256 : wanted.amountIn;
  if (amount > limit) differ(check, "QUOTE_AMOUNT", `${path}.data.amount`, `at most ${limit}`, amount);
}

/** Whom the quote has called or have the tokens taken by. */
function laterTargets({ quote }: QuoteCheck): ReadonlySet<string> {
  const named = quote.steps.flatMap((step) =>
    step.kind === "transaction"
      ? step.items.map(({ data }) => data?.to)
      : step.items.map(({ data }) =>
          data?.sign.signatureKind === "eip712" ? (data.sign.value.spender ?? data.sign.value.to) : undefined,
        ),
  );
  return new Set(named.filter((name) => name !== undefined).map(plain));
}

type Payment = { readonly call: Call; readonly calldata: Hex; readonly to: string };

function checkPayment(check: QuoteCheck, { call, calldata, to }: Payment, path: string): void {
  const { amountIn, originCurrency } = check.wanted;
  switch (call?.functionName) {
    case "depositNative":
    case "depositErc20": {
      const deposit = checkDeposit(check, { data: calldata, to }, `${path}.data`);
      if (call.functionName === "depositNative") return;
      same(check, "QUOTE_CURRENCY", `${path}.data.token`, originCurrency, deposit?.token);
      same(
        check,
        "QUOTE_AMOUNT",
        `${path}.data.amount`,
        amountIn,
        deposit?.amount ?? approvedAmount(check, to),
      );
      return;
    }
    case "transfer":
      same(check, "QUOTE_CURRENCY", `${path}.to`, originCurrency, to);
      same(check, "QUOTE_AMOUNT", `${path}.data.amount`, amountIn, call.args[1]);
      checkTagged(check, { tag: call.tag, to: call.args[0] }, `${path}.data.to`);
      return;
    case "forward":
      amongTrusted(check, "QUOTE_TARGET", `${path}.to`, "receivers", to);
      same(check, "QUOTE_REQUEST_ID", `${path}.data`, check.requestId, call.args[0]);
      return;
    case "multicall": {
      const [calls, refundTo, nftRecipient, metadata] = call.args;
      amongTrusted(check, "QUOTE_TARGET", `${path}.to`, "routers", to);
      checkRouted(check, { calls, nftRecipient, refundTo, tag: metadata ?? call.tag }, `${path}.data`);
      return;
    }
    case "transferAndMulticall": {
      const [tokens, amounts, calls, refundTo, nftRecipient, metadata] = call.args;
      amongTrusted(check, "QUOTE_TARGET", `${path}.to`, "routers", to);
      checkPulled(check, { amounts, tokens }, `${path}.data`);
      const routed: Routed = { calls, nftRecipient, refundTo, tag: metadata ?? call.tag };
      checkRouted(check, routed, `${path}.data`);
      return;
    }
    default:
      checkPlain(check, { calldata, to }, path);
  }
}

/** One token, to the unit of what is paid. */
export function checkPulled(
  check: QuoteCheck,
  { amounts, tokens }: { amounts: readonly unknown[]; tokens: readonly unknown[] },
  path: string,
): void {
  same(check, "QUOTE_CURRENCY", `${path}.token`, check.wanted.originCurrency, tokens.join());
  same(check, "QUOTE_AMOUNT", `${path}.amount`, check.wanted.amountIn, amounts.map(quantity).join());
}

/** The overload of the depository that takes the whole allowance takes what this quote approved, at least. */
function approvedAmount({ quote }: QuoteCheck, spender: string): bigint | string {
  for (const step of quote.steps) {
    if (step.kind !== "transaction") continue;
    for (const { data } of step.items) {
      const call = data?.to === undefined ? undefined : decodeCall(serviceFunctions, data.data ?? "0x");
      if (call?.functionName === "approve" && call.args[1] > 0n && plain(call.args[0]) === plain(spender)) {
        return call.args[1];
      }
    }
  }
  return "the whole allowance";
}

/** A transfer with an id behind it: for an order to the depository, for a request to the solver or, on one chain, on. */
function checkTagged(check: QuoteCheck, { tag, to }: { tag: Hex; to: string }, path: string): void {
  const { destinationChainId, originChainId, recipient } = check.wanted;
  if (plain(tag) !== plain(check.requestId)) checkDepository(check, path, to, tag);
  else if (originChainId === destinationChainId) same(check, "QUOTE_RECIPIENT", path, recipient, to);
  else checkSolver(check, path, to);
}

function checkPlain(check: QuoteCheck, { calldata, to }: { calldata: Hex; to: string }, path: string): void {
  const {
    amountIn,
    destinationCurrency,
    originChainId,
    destinationChainId,
    originCurrency,
    recipient,
    user,
  } = check.wanted;
  const id = plain(check.requestId).slice(2);
  const data = plain(calldata);
  const isOwn = originChainId === destinationChainId;
  if (data === `0x${id}` && paysNative(check)) {
    if (isOwn) same(check, "QUOTE_RECIPIENT", `${path}.to`, recipient, to);
    else if (!check.trusted.receivers.has(plain(to))) checkSolver(check, `${path}.to`, to);
  } else if (isOwn && data === `${wrap}${id}`) {
    same(check, "QUOTE_TARGET", `${path}.to`, destinationCurrency, to);
    same(check, "QUOTE_RECIPIENT", `${path}.from`, recipient, user);
  } else if (isOwn && data === `${unwrap}${amountIn.toString(16).padStart(64, "0")}${id}`) {
    same(check, "QUOTE_TARGET", `${path}.to`, originCurrency, to);
    same(check, "QUOTE_RECIPIENT", `${path}.from`, recipient, user);
  } else {
    differ(check, "QUOTE_CALL", `${path}.data`, "a payment of the service's", data.slice(0, 10));
  }
}
