import { type Address, zeroAddress } from "viem";
import { decodeCall } from "../../decodeCall.ts";
import { isSame, mustHold, pick, type Unmet } from "../compareWhole.ts";
import type { OutputClaim, RoutedCall } from "../OutputClaim.ts";
import { encodeCall, proofFunctions } from "../proofFunctions.ts";
import { kindOf, ownAccounts, type Terms } from "../Terms.ts";
import type { TrustedRouter } from "../TrustRoots.ts";

/** The arguments of a router's call. */
export type Routed = {
  /** The router; undefined for an untrusted one, which differs already. */
  readonly by: TrustedRouter | undefined;
  readonly calls: readonly RoutedCall[];
  /** Whether calls can be inserted. */
  readonly isOpen: boolean;
  readonly nftRecipient: string;
  readonly refundTo: string;
};

/** A claim before it knows its place in the quote. */
export type PendingClaim = Omit<OutputClaim, "path">;

type ExpectedCalls = Pick<Routed, "calls"> & {
  readonly claims: readonly PendingClaim[];
  readonly kind: "order" | "sameChain";
  readonly unmet: readonly Unmet[];
};

/** What a router's call must be, its claims, and the conditions that are not met. */
export type ExpectedRouted = ExpectedCalls & Pick<Routed, "nftRecipient" | "refundTo">;

/**
 * A router's calls: any that swap, then the ones that must come last. For an order, that is one deposit of its input. On
 * one chain, it is the requested calls, and a claim about the output for the guard or the simulation.
 */
export function expectRouted(terms: Terms, routed: Routed): ExpectedRouted {
  const own = ownAccounts(terms);
  return {
    ...(kindOf(terms) === "order" ? expectDeposit(terms, routed) : expectRequested(terms, routed)),
    nftRecipient: pick([zeroAddress, ...own], routed.nftRecipient) ?? zeroAddress,
    // The router sends native output to `refundTo`, so the recipient is allowed too.
    refundTo: pick(own, routed.refundTo) ?? terms.request.user,
  };
}

function expectDeposit(terms: Terms, { by, calls, isOpen }: Routed): ExpectedCalls {
  const input = terms.quote.protocol?.v2?.orderData?.inputs[0]?.payment;
  const depository = terms.origin?.depository;
  const last = calls.at(-1);
  const isKnown = by !== undefined && depository !== undefined && input !== undefined;
  const deposit = isKnown && last && depositLike(last, { by, depository, input, terms });
  if (!isKnown || !deposit) {
    const unmet = mustHold(
      !isKnown,
      `a deposit of ${terms.orderId} as the last call`,
      "QUOTE_ORDER_ID",
      "none",
    );
    return { calls, claims: [], kind: "order", unmet };
  }
  const claim = {
    account: depository,
    calls,
    currency: input.currency.toLowerCase() as Address,
    index: calls.length - 1,
    isOpen,
    kind: "gain",
    minimum: BigInt(input.amount),
    router: by.router,
    version: by.version,
  } as const;
  return {
    calls: [...calls.slice(0, -1), deposit.call],
    claims: deposit.takesAll ? [claim] : [],
    kind: "order",
    unmet: [],
  };
}

type Deposit = {
  readonly by: TrustedRouter;
  readonly depository: Address;
  readonly input: { readonly amount: string; readonly currency: string };
  readonly terms: Terms;
};

/**
 * The deposit of the order's input in the form of a router's call. A router that deposits its whole balance skips the
 * deposit if it has none, and one without an amount takes what the router could approve: the depository's gain is claimed.
 */
function depositLike(
  { callData }: RoutedCall,
  { by, depository, input, terms: { orderId, request } }: Deposit,
): { readonly call: RoutedCall; readonly takesAll: boolean } | undefined {
  const token = input.currency.toLowerCase();
  const amount = BigInt(input.amount);
  const form = decodeCall(proofFunctions, callData);
  const name = token === zeroAddress ? "depositNative" : "depositErc20";
  const deposit = encodeCall(name, [
    request.user,
    ...(token === zeroAddress ? [] : [token, amount]),
    orderId,
  ]);
  const direct = { allowFailure: false, callData: deposit, target: depository, value: 0n };
  const routed = { ...direct, target: by.router };
  if (form?.functionName === name && form.args.length !== 3) {
    return { call: { ...direct, value: token === zeroAddress ? amount : 0n }, takesAll: false };
  }
  if (form?.functionName === "cleanupNativeViaCall" && token === zeroAddress) {
    const takesAll = form.args[0] === 0n;
    const args = [takesAll ? 0n : amount, depository, deposit];
    return { call: { ...routed, callData: encodeCall("cleanupNativeViaCall", args) }, takesAll };
  }
  if (form?.functionName === "cleanupErc20sViaCall" && token !== zeroAddress) {
    const [, , [inner = "0x"], [share]] = form.args;
    const takesAll = share === 0n;
    // The overload without an amount deposits what the router has just approved, which nothing but a claim measures.
    const isShort = takesAll && decodeCall(proofFunctions, inner)?.args?.length === 3;
    const data = isShort ? encodeCall("depositErc20", [request.user, token, orderId]) : deposit;
    const args = [[token], [depository], [data], [takesAll ? 0n : amount]];
    return { call: { ...routed, callData: encodeCall("cleanupErc20sViaCall", args) }, takesAll };
  }
  return undefined;
}

/** On one chain, the output goes to the recipient, or stays on the router for the requested calls at the end. */
function expectRequested(terms: Terms, { by, calls, isOpen }: Routed): ExpectedCalls {
  const { minimumOut, recipient, request, txs } = terms;
  const index = Math.max(0, calls.length - txs.length);
  const isSpent = txs.length > 0;
  const claim = by && {
    account: (isSpent ? by.router : recipient) as Address,
    calls,
    currency: request.destinationCurrency as Address,
    index: isSpent ? index : 0,
    isOpen,
    kind: isSpent ? ("balance" as const) : ("gain" as const),
    minimum: minimumOut,
    router: by.router,
    version: by.version,
  };
  return {
    calls: [
      ...calls.slice(0, index),
      ...txs.map(({ data, to, value }) => ({ allowFailure: false, callData: data, target: to, value })),
    ],
    claims: claim === undefined ? [] : [claim],
    kind: "sameChain",
    unmet: by === undefined ? [] : mustSweep(terms, [by]),
  };
}

/**
 * Anyone can take tokens that calls leave on the router, so the last one must sweep the output to an own account. Native
 * currency is exempt: the router returns it to `refundTo` on one chain, and calls across chains spend what they name.
 *
 * @param routers The routers that may make the calls.
 */
export function mustSweep(terms: Terms, routers: readonly Pick<TrustedRouter, "router">[]): readonly Unmet[] {
  const { request, txs } = terms;
  const { destinationCurrency } = request;
  const last = txs.at(-1);
  if (last === undefined) return [];
  const isRouter = routers.some(({ router }) => isSame(last.to, router));
  const sweep = isRouter ? decodeCall(proofFunctions, last.data) : undefined;
  const own = ownAccounts(terms);
  const isSwept =
    sweep?.functionName === "cleanupErc20s" &&
    sweep.args[0].some((token, index) => {
      const isOwn = own.some((account) => isSame(account, sweep.args[1][index]));
      return isSame(token, destinationCurrency) && isOwn && sweep.args[2][index] === 0n;
    });
  const text = `a sweep of ${destinationCurrency} from the router to the recipient as the last of \`txs\`, by \`sweepErc20s\` of \`calls\``;
  return mustHold(isSame(destinationCurrency, zeroAddress) || isSwept, text, "QUOTE_CALLS", "another call");
}
