import { type Address, concat, type Hex, zeroAddress } from "viem";
import type { EvmTransactionData } from "../../../schema/quote/step.ts";
import type { DecodedCall } from "../../decodeCall.ts";
import { Coded, isSame, mustHold, normalizeForComparison, Unmet } from "../compareWhole.ts";
import { encodeCall, type proofFunctions } from "../routedCalls.ts";
import { contractOf, type Terms } from "../Terms.ts";
import type { TrustedRouter } from "../TrustRoots.ts";
import { expectRouted, type PendingClaim } from "./expectRouted.ts";

/** The user's payment. A quote must have exactly one. */
export type ExpectedPayment = {
  /**
   * - `order`: a deposit for the order.
   * - `sameChain`: the user's transaction carries out the whole request.
   * - `request`: a payment under the request id, with a signature record of the solver.
   */
  readonly kind: "order" | "request" | "sameChain";
  /** A condition that only the chain or a simulation can prove. */
  readonly claim?: PendingClaim | undefined;
  /** A recipient that must be without code: the service chose the calldata that it gets. */
  readonly codeless?: Address | undefined;
  /** Whether it swaps before it deposits. */
  readonly isSwapped?: boolean | undefined;
  /** Spender of the allowance; undefined for a payment without one. */
  readonly puller?: string | undefined;
  /** Conditions that are not met. */
  readonly unmet?: readonly Unmet[] | undefined;
};

/** A transaction that pays: what it must be, whole. */
export type ExpectedTransaction = ExpectedPayment & { readonly data: Hex | Unmet; readonly to: unknown };

/** A call of a function that a proof decodes. */
export type ServiceCall = DecodedCall<typeof proofFunctions>;

/** A transaction of the quote, in lower case. */
type Sent = { readonly call: ServiceCall | undefined; readonly calldata: Hex; readonly to: string };
type Form = (terms: Terms, sent: Sent) => ExpectedTransaction | undefined;

/** Selectors of the wrapped native currency. */
const wrap = "0xd0e30db0";
const unwrap = "0x2e1a7d4d";

/** Calldata with the request id behind it, where the quote appends something. */
export function tagged({ requestId }: Terms, data: Hex, tag: Hex): Hex {
  return tag === "0x" ? data : concat([data, (requestId ?? "0x") as Hex]);
}

/** The payment in the form that the quote uses. Another form is expected in words. */
export function expectPayment(
  terms: Terms,
  data: EvmTransactionData,
  call: ServiceCall | undefined,
): ExpectedTransaction {
  const [calldata, to] = [normalizeForComparison(data.data ?? "0x") as Hex, normalizeForComparison(data.to)];
  const form = forms[call?.functionName ?? ""] ?? payByData;
  const other = new Unmet("a payment of the service", "QUOTE_CALL", calldata.slice(0, 10));
  return form(terms, { call, calldata, to }) ?? { data: other, kind: terms.kind, to };
}

const forms: Readonly<Record<string, Form>> = {
  depositErc20: payByDeposit,
  depositNative: payByDeposit,
  multicall: payByRouter,
  permitTransferAndMulticall: payByRouter,
  transfer: payByTransfer,
  transferAndMulticall: payByRouter,
};

/** A deposit of exactly what the user pays. The overload without an amount takes the whole allowance. */
function payByDeposit(terms: Terms, { call, to }: Sent): ExpectedTransaction | undefined {
  const { amountIn, isNative, orderId, origin, request } = terms;
  const name = isNative ? "depositNative" : "depositErc20";
  if (call?.functionName !== name) return undefined;
  const paid = isNative ? [] : [request.originCurrency, amountIn];
  return {
    data: tagged(terms, encodeCall(name, [request.user, ...paid, orderId]), call.tag),
    kind: "order",
    puller: isNative ? undefined : (origin?.depository ?? to),
    to: contractOf("depository", [origin?.depository], to),
  };
}

/** A transfer of a token with an id behind its arguments: the order's to the depository, or the request's. */
function payByTransfer(terms: Terms, { call }: Sent): ExpectedTransaction | undefined {
  const { amountIn, isSameChain, orderId, origin, recipient, request, requestId, trust } = terms;
  if (call?.functionName !== "transfer" || terms.isNative) return undefined;
  const [payee] = call.args;
  const pay = (account: string | Unmet, id: string | undefined) =>
    account instanceof Unmet
      ? account
      : concat([encodeCall("transfer", [account, amountIn]), (id ?? "0x") as Hex]);
  const to = new Coded(request.originCurrency, "QUOTE_CURRENCY");
  if (isSame(call.tag, requestId)) {
    return isSameChain
      ? { data: pay(recipient, requestId), kind: "sameChain", to, unmet: oneForOne(terms) }
      : { data: pay(contractOf("solver", trust.solvers, payee), requestId), kind: "request", to };
  }
  // The service reads the id from the transaction's calldata. A contract account's transfer is an inner call.
  if (request.explicitDeposit !== false) return undefined;
  // The service reads the first half of such an id as padding, and matches no order.
  const isRead = !/^0x0{32}/.test(String(orderId));
  return {
    data: pay(contractOf("depository", [origin?.depository], payee), orderId),
    kind: "order",
    to,
    unmet: mustHold(isRead, "an id that is read", "QUOTE_ORDER_ID", String(orderId)),
  };
}

/** A payment of native currency under the request id, a wrap or an unwrap. */
function payByData(terms: Terms, { call, calldata, to }: Sent): ExpectedTransaction | undefined {
  const { isNative, isSameChain, origin, recipient, trust } = terms;
  const requestId = normalizeForComparison(terms.requestId) as Hex;
  const isTagOnly = isNative && calldata === requestId;
  if (isSameChain) {
    if (!isTagOnly) return payByWrapping(terms, calldata, to);
    const payee = new Coded(recipient, "QUOTE_RECIPIENT");
    const unmet = oneForOne(terms);
    return { codeless: recipient as Address, data: requestId, kind: "sameChain", to: payee, unmet };
  }
  const isForwarded = isNative && call?.functionName === "forward";
  if (!isForwarded && !isTagOnly) return undefined;
  const receivers = isForwarded ? [origin?.relayReceiver] : [...trust.solvers, origin?.relayReceiver];
  const data = isForwarded ? encodeCall("forward", [requestId]) : requestId;
  return { data, kind: "request", to: contractOf("receiver", receivers, to) };
}

/** A wrap or an unwrap pays its caller: the user. */
function payByWrapping(terms: Terms, calldata: Hex, to: string): ExpectedTransaction | undefined {
  const { amountIn, isNative, origin, recipient, request, requestId } = terms;
  const selector = isNative ? wrap : unwrap;
  if (!calldata.startsWith(selector)) return undefined;
  const amount = isNative ? "" : amountIn.toString(16).padStart(64, "0");
  const { destinationCurrency, originCurrency, user } = request;
  const [native, token] = isNative
    ? [originCurrency, destinationCurrency]
    : [destinationCurrency, originCurrency];
  const wrapped = contractOf("wrapped native currency", [origin?.wrappedNative], to);
  const isPair = isSame(native, zeroAddress) && (wrapped instanceof Unmet || isSame(token, wrapped));
  return {
    data: `${selector}${amount}${String(requestId).slice(2)}`,
    kind: "sameChain",
    to: wrapped,
    unmet: [
      ...mustHold(isPair, "native currency and its wrapped form", "QUOTE_CURRENCY", `${native} and ${token}`),
      ...mustHold(isSame(recipient, user), recipient, "QUOTE_RECIPIENT", user),
      ...oneForOne(terms, true),
    ],
  };
}

/** Output equals input: the same currency, no calls, and no less than the minimum. */
function oneForOne({ amountIn, minimumOut, request, txs }: Terms, isWrapped = false): readonly Unmet[] {
  const { destinationCurrency, originCurrency } = request;
  const isSameCurrency = isWrapped || isSame(originCurrency, destinationCurrency);
  return [
    ...mustHold(isSameCurrency, destinationCurrency, "QUOTE_CURRENCY", originCurrency),
    ...mustHold(amountIn >= minimumOut, `at least ${minimumOut}`, "QUOTE_OUTPUT", `${amountIn}`),
    ...mustHold(txs.length === 0, "the calls that were asked for", "QUOTE_CALLS", "none"),
  ];
}

/** A payment by a router, directly or through its approval proxy. */
function payByRouter(terms: Terms, { call, to }: Sent): ExpectedTransaction | undefined {
  const { amountIn, isNative, origin, request, requestId } = terms;
  const isProxied = call?.functionName !== "multicall";
  if (call === undefined || isProxied === isNative) return undefined;
  const args = call.args as readonly unknown[];
  const at = call.item.inputs.findIndex(({ name }) => name === "calls");
  const [calls, refundTo, nftRecipient, metadata] = args.slice(at);
  const version = metadata === undefined ? "v2.1" : "v3";
  const routers = (origin?.routers ?? []).filter((each) => each.version === version);
  const [role, placeOf] = isProxied
    ? ["approval proxy", ({ approvalProxy }: TrustedRouter) => approvalProxy]
    : ["router", ({ router }: TrustedRouter) => router];
  const target = contractOf(`${role} ${version}`, routers.map(placeOf), to);
  const by = routers.find((each) => placeOf(each) === target);
  const routed = expectRouted(terms, { by, calls: calls as never, isOpen: true, nftRecipient, refundTo });
  const token = request.originCurrency;
  const pulled: Readonly<Record<string, readonly unknown[]>> = {
    permitTransferAndMulticall: [
      [{ ...(args[0] as readonly object[])[0], owner: request.user, token, value: amountIn }],
    ],
    transferAndMulticall: [[token], [amountIn]],
  };
  const data = encodeCall(call.functionName, [
    ...(pulled[call.functionName] ?? []),
    routed.calls,
    routed.refundTo,
    routed.nftRecipient,
    ...(metadata === undefined ? [] : [metadata === "0x" ? metadata : requestId]),
  ]);
  return {
    ...routed,
    data: tagged(terms, data, call.tag),
    isSwapped: true,
    puller: isProxied ? (by?.approvalProxy ?? to) : undefined,
    to: target,
  };
}
