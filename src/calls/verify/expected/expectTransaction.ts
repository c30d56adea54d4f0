import { type Address, concat, type Hex, zeroAddress } from "viem";
import type { EvmTransactionData } from "../../../schema/quote/step.ts";
import { type DecodedCall, decodeCall } from "../../decodeCall.ts";
import { Coded, choose, isSame, mustHold, normalizeForComparison, Unmet } from "../compareWhole.ts";
import { usualMaximumGas } from "../proofDefaults.ts";
import { encodeCall, proofFunctions } from "../proofFunctions.ts";
import { contractOf, isSameChain, kindOf, paysNative, type Terms } from "../Terms.ts";
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
  /** Conditions that are not met. */
  readonly unmet: readonly Unmet[];
  /** Conditions that only the chain or a simulation can prove. */
  readonly claims: readonly PendingClaim[];
  /** Spender of the allowance; undefined for a payment without one. */
  readonly puller?: string | undefined;
  /** Whether it swaps before it deposits. */
  readonly isSwapped?: boolean | undefined;
  /** A recipient that must be without code: the service chose the calldata that it gets. */
  readonly codeless?: Address | undefined;
};

/** A transaction that pays: what it must be, whole. */
export type ExpectedTransaction = ExpectedPayment & { readonly data: Hex | Unmet; readonly to: unknown };

type Sent = {
  readonly call: DecodedCall<typeof proofFunctions> | undefined;
  readonly calldata: Hex;
  readonly to: string;
};
type Form = (terms: Terms, sent: Sent) => ExpectedTransaction | undefined;

/** Selectors of the wrapped native currency. */
const wrap = "0xd0e30db0";
const unwrap = "0x2e1a7d4d";
const nothingMore = { claims: [], unmet: [] };

/** The sent fields of a transaction, in the form of {@link expectSent}. */
export function sentOf({ request }: Terms, data: EvmTransactionData): object {
  return {
    chainId: data.chainId ?? request.originChainId,
    data: data.data ?? "0x",
    from: data.from ?? request.user,
    gas: data.gas,
    to: data.to,
    value: BigInt(data.value ?? 0),
  };
}

/** A transaction as it must be sent: from the user, on the origin chain, with this value. */
export function expectSent(
  { policy: { maximumGas = usualMaximumGas }, request }: Terms,
  { gas }: EvmTransactionData,
  call: { readonly data: unknown; readonly to: unknown; readonly value: bigint },
): object {
  const isBounded = gas === undefined || BigInt(gas) <= maximumGas;
  const bounded = choose(gas, isBounded, `at most ${maximumGas}`);
  return { ...call, chainId: request.originChainId, from: request.user, gas: bounded };
}

/** Calldata with the request id behind it, where the quote appends something. */
export function tagged({ requestId }: Terms, data: Hex, tag: Hex): Hex {
  return tag === "0x" ? data : concat([data, (requestId ?? "0x") as Hex]);
}

/** The payment in the form that the quote uses. Another form is expected in words. */
export function expectPayment(terms: Terms, { data = "0x", to }: EvmTransactionData): ExpectedTransaction {
  const calldata = normalizeForComparison(data) as Hex;
  const call = decodeCall(proofFunctions, calldata);
  const form = forms[call?.functionName ?? ""] ?? payByData;
  const expected = form(terms, { call, calldata, to });
  if (expected !== undefined) return expected;
  const other = new Unmet("a payment of the service", "QUOTE_CALL", calldata.slice(0, 10));
  return { ...nothingMore, data: other, kind: kindOf(terms), to };
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
  const { amountIn, orderId, origin, request } = terms;
  const name = paysNative(terms) ? "depositNative" : "depositErc20";
  if (call?.functionName !== name) return undefined;
  const paid = name === "depositNative" ? [] : [request.originCurrency, amountIn];
  return {
    ...nothingMore,
    data: tagged(terms, encodeCall(name, [request.user, ...paid, orderId]), call.tag),
    kind: "order",
    puller: name === "depositNative" ? undefined : (origin?.depository ?? to),
    to: contractOf("depository", [origin?.depository], to),
  };
}

/** A transfer of a token with an id behind its arguments: the order's to the depository, or the request's. */
function payByTransfer(terms: Terms, { call }: Sent): ExpectedTransaction | undefined {
  const { amountIn, orderId, origin, recipient, request, requestId, trust } = terms;
  if (call?.functionName !== "transfer" || paysNative(terms)) return undefined;
  const [payee] = call.args;
  const to = new Coded(request.originCurrency, "QUOTE_CURRENCY");
  const pay = (account: string, id: string | undefined) =>
    concat([encodeCall("transfer", [account, amountIn]), (id ?? "0x") as Hex]);
  if (!isSame(call.tag, requestId)) {
    // The service reads the id from the transaction's calldata. A contract account's transfer is an inner call.
    if (request.explicitDeposit !== false) return undefined;
    const depository = contractOf("depository", [origin?.depository], payee);
    // The service reads the first half of such an id as padding, and matches no order.
    const isRead = !/^0x0{32}/.test(String(orderId));
    return {
      claims: [],
      data: depository instanceof Unmet ? depository : pay(depository, orderId),
      kind: "order",
      to,
      unmet: mustHold(isRead, "an id that is read", "QUOTE_ORDER_ID", String(orderId)),
    };
  }
  if (isSameChain(terms)) {
    return { claims: [], data: pay(recipient, requestId), kind: "sameChain", to, unmet: oneForOne(terms) };
  }
  const solver = contractOf("solver", trust.solvers, payee);
  return {
    ...nothingMore,
    data: solver instanceof Unmet ? solver : pay(solver, requestId),
    kind: "request",
    to,
  };
}

/** A payment of native currency under the request id, a wrap or an unwrap. */
function payByData(terms: Terms, { call, calldata, to }: Sent): ExpectedTransaction | undefined {
  const { amountIn, origin, recipient, request, trust } = terms;
  const isNative = paysNative(terms);
  const requestId = normalizeForComparison(terms.requestId) as Hex;
  if (!isSameChain(terms)) {
    const isForwarded = call?.functionName === "forward";
    if (!isNative || !(isForwarded || calldata === requestId)) return undefined;
    const solvers = isForwarded ? [] : trust.solvers;
    const payee = contractOf("receiver", [...solvers, origin?.relayReceiver], to);
    const data = isForwarded ? encodeCall("forward", [requestId]) : requestId;
    return { ...nothingMore, data, kind: "request", to: payee };
  }
  if (isNative && calldata === requestId) {
    const payee = new Coded(recipient, "QUOTE_RECIPIENT");
    const unmet = oneForOne(terms);
    return {
      claims: [],
      codeless: recipient as Address,
      data: requestId,
      kind: "sameChain",
      to: payee,
      unmet,
    };
  }
  const isWrap = isNative && calldata.startsWith(wrap);
  if (!isWrap && (isNative || !calldata.startsWith(unwrap))) return undefined;
  const amount = isWrap ? "" : amountIn.toString(16).padStart(64, "0");
  const { destinationCurrency, originCurrency, user } = request;
  const [token, native] = isWrap
    ? [destinationCurrency, originCurrency]
    : [originCurrency, destinationCurrency];
  const wrapped = contractOf("wrapped native currency", [origin?.wrappedNative], to);
  const isPair = isSame(native, zeroAddress) && (wrapped instanceof Unmet || isSame(token, wrapped));
  return {
    claims: [],
    data: `${isWrap ? wrap : unwrap}${amount}${requestId.slice(2)}` as Hex,
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
  const { amountIn, origin, request, requestId } = terms;
  const isProxied = call?.functionName !== "multicall";
  if (call === undefined || isProxied === paysNative(terms)) return undefined;
  const args = call.args as readonly unknown[];
  const at = call.item.inputs.findIndex(({ name }) => name === "calls");
  const [calls, refundTo, nftRecipient, metadata] = args.slice(at);
  const version = metadata === undefined ? "v2.1" : "v3";
  const routers = (origin?.routers ?? []).filter((each) => each.version === version);
  const placeOf = (each: TrustedRouter) => (isProxied ? each.approvalProxy : each.router);
  const target = contractOf(
    `${isProxied ? "approval proxy" : "router"} ${version}`,
    routers.map(placeOf),
    to,
  );
  const by = routers.find((each) => placeOf(each) === target);
  const routed = expectRouted(terms, {
    by,
    calls: calls as never,
    isOpen: true,
    nftRecipient: String(nftRecipient),
    refundTo: String(refundTo),
  });
  const token = request.originCurrency;
  const pulled: Readonly<Record<string, readonly unknown[]>> = {
    multicall: [],
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
    puller: !isProxied ? undefined : target instanceof Unmet ? to : target,
    to: target,
  };
}
