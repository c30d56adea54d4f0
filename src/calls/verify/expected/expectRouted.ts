import { type Address, zeroAddress } from "viem";
import { decodeCall } from "../../decodeCall.ts";
import { isSame, mustHold, pick, Unmet } from "../compareWhole.ts";
import { encodeCall, type OutputClaim, proofFunctions, type RoutedCall } from "../routedCalls.ts";
import { contractOf, type Terms } from "../Terms.ts";
import type { TrustedRouter } from "../TrustRoots.ts";

/** The arguments of a router's call. */
type Routed = {
  /** The router; undefined for an untrusted one, which differs already. */
  readonly by: TrustedRouter | undefined;
  readonly calls: readonly RoutedCall[];
  /** Whether calls can be inserted. */
  readonly isOpen: boolean;
  readonly nftRecipient: unknown;
  readonly refundTo: unknown;
};

/** A claim before it knows its place in the quote. */
export type PendingClaim = Omit<OutputClaim, "path">;

type ExpectedCalls = {
  readonly calls: readonly RoutedCall[];
  readonly claim?: Omit<PendingClaim, "calls" | "isOpen" | "router" | "version"> | undefined;
  readonly unmet?: readonly Unmet[];
};

/** What a router's call must be, its claim, and the conditions that are not met. */
export type ExpectedRouted = ReturnType<typeof expectRouted>;

/**
 * A router's calls: any that swap, then the ones that must come last. For an order, that is one deposit of its input. On
 * one chain, it is the requested calls, and a claim about the output for the guard or the simulation.
 */
export function expectRouted(terms: Terms, routed: Routed) {
  const { kind, ownAccounts, request } = terms;
  const { by, calls, isOpen } = routed;
  const { claim, ...expected } =
    kind === "order" ? expectDeposit(terms, routed) : expectRequested(terms, routed);
  return {
    ...expected,
    claim: claim && by && { ...claim, calls, isOpen, router: by.router, version: by.version },
    kind,
    nftRecipient: pick([zeroAddress, ...ownAccounts], routed.nftRecipient) ?? zeroAddress,
    // The router sends native output to `refundTo`, so the recipient is allowed too.
    refundTo: pick(ownAccounts, routed.refundTo) ?? request.user,
  };
}

/**
 * The last call must deposit the order's input, in the form of the quote. A router that deposits its whole balance skips
 * the deposit if it has none, and one without an amount takes what the router could approve: the depository's gain is
 * claimed.
 */
function expectDeposit(terms: Terms, { by, calls }: Routed): ExpectedCalls {
  const { orderId, origin, quote, request } = terms;
  const input = quote.protocol?.v2?.orderData?.inputs[0]?.payment;
  const depository = contractOf("depository", [origin?.depository], "") as Address | Unmet;
  if (depository instanceof Unmet) return { calls, unmet: [depository] };
  if (by === undefined || input === undefined) return { calls };
  const amount = BigInt(input.amount);
  const token = input.currency.toLowerCase() as Address;
  const isNative = token === zeroAddress;
  const given = decodeCall(proofFunctions, calls.at(-1)?.callData ?? "0x");
  const name = isNative ? "depositNative" : "depositErc20";
  const deposit = encodeCall(name, [request.user, ...(isNative ? [] : [token, amount]), orderId]);
  const gain = { account: depository, currency: token, index: calls.length - 1, minimum: amount };
  const endWith = (last: Pick<RoutedCall, "callData" | "target" | "value">, takesAll = false) => ({
    calls: [...calls.slice(0, -1), { ...last, allowFailure: false }],
    claim: takesAll ? { ...gain, kind: "gain" as const } : undefined,
  });
  if (given?.functionName === name && given.args.length !== 3) {
    return endWith({ callData: deposit, target: depository, value: isNative ? amount : 0n });
  }
  if (given?.functionName === "cleanupNativeViaCall" && isNative) {
    const takesAll = given.args[0] === 0n;
    const callData = encodeCall("cleanupNativeViaCall", [takesAll ? 0n : amount, depository, deposit]);
    return endWith({ callData, target: by.router, value: 0n }, takesAll);
  }
  if (given?.functionName === "cleanupErc20sViaCall" && !isNative) {
    const [, , [inner = "0x"], [share]] = given.args;
    const takesAll = share === 0n;
    // The overload without an amount deposits what the router has just approved, which nothing but a claim measures.
    const isShort = takesAll && decodeCall(proofFunctions, inner)?.args?.length === 3;
    const data = isShort ? encodeCall("depositErc20", [request.user, token, orderId]) : deposit;
    const args = [[token], [depository], [data], [takesAll ? 0n : amount]];
    const callData = encodeCall("cleanupErc20sViaCall", args);
    return endWith({ callData, target: by.router, value: 0n }, takesAll);
  }
  return { calls, unmet: [new Unmet(`a deposit of ${orderId} as the last call`, "QUOTE_ORDER_ID", "none")] };
}

/** On one chain, the output goes to the recipient, or stays on the router for the requested calls at the end. */
function expectRequested(terms: Terms, { by, calls }: Routed): ExpectedCalls {
  const { minimumOut, recipient, request, txs } = terms;
  const index = Math.max(0, calls.length - txs.length);
  const asked = txs.map(({ data, to, value }) => ({
    allowFailure: false,
    callData: data,
    target: to,
    value,
  }));
  const expected = [...calls.slice(0, index), ...asked];
  if (by === undefined) return { calls: expected };
  const output = { currency: request.destinationCurrency as Address, minimum: minimumOut };
  return {
    calls: expected,
    claim:
      txs.length > 0
        ? { ...output, account: by.router, index, kind: "balance" }
        : { ...output, account: recipient as Address, index: 0, kind: "gain" },
    unmet: mustSweep(terms, [by]),
  };
}

/**
 * Anyone can take tokens that calls leave on the router, so the last one must sweep the output to an own account. Native
 * currency is exempt: the router returns it to `refundTo` on one chain, and calls across chains spend what they name.
 *
 * @param routers The routers that may make the calls.
 */
export function mustSweep(terms: Terms, routers: readonly Pick<TrustedRouter, "router">[]): readonly Unmet[] {
  const { ownAccounts, request, txs } = terms;
  const { destinationCurrency } = request;
  const last = txs.at(-1);
  if (last === undefined) return [];
  const isRouter = routers.some(({ router }) => isSame(last.to, router));
  const sweep = isRouter ? decodeCall(proofFunctions, last.data) : undefined;
  const isSwept =
    sweep?.functionName === "cleanupErc20s" &&
    sweep.args[0].some((token, index) => {
      const isOwn = ownAccounts.some((account) => isSame(account, sweep.args[1][index]));
      return isSame(token, destinationCurrency) && isOwn && sweep.args[2][index] === 0n;
    });
  const text = `a sweep of ${destinationCurrency} from the router to the recipient as the last of \`txs\`, by \`sweepErc20s\` of \`calls\``;
  return mustHold(isSame(destinationCurrency, zeroAddress) || isSwept, text, "QUOTE_CALLS", "another call");
}
