import { type Address, type Hex, size, zeroAddress } from "viem";
import { decodeCall } from "../decodeCall.ts";
import { serviceFunctions } from "../serviceFunctions.ts";
import { checkDeposit } from "./checkDeposit.ts";
import { plain } from "./plain.ts";
import { among, differ, ownAccounts, type QuoteCheck, same } from "./QuoteCheck.ts";

/** A call that the service's router makes on the origin chain. */
export type RoutedCall = {
  readonly target: Address;
  readonly value: bigint;
  readonly callData: Hex;
  readonly allowFailure: boolean;
};

/** What the router is told. */
export type Routed = {
  readonly calls: readonly RoutedCall[];
  readonly refundTo: string;
  readonly nftRecipient: string;
  /** The request id, where it stands behind the calldata or in the metadata. */
  readonly tag: Hex;
};

/**
 * What the router does with the money. Swaps among the calls are the venue's own and are not proven; what is proven is that
 * the deposit of the order is among them, or, on one chain, that the calls that were asked for are, or that the recipient
 * is named.
 */
export function checkRouted(check: QuoteCheck, routed: Routed, path: string): void {
  const { nftRecipient, refundTo, tag } = routed;
  const own = ownAccounts(check);
  among(check, "QUOTE_REFUND", `${path}.refundTo`, own, refundTo);
  if (nftRecipient !== zeroAddress)
    among(check, "QUOTE_RECIPIENT", `${path}.nftRecipient`, own, nftRecipient);
  if (size(tag) === 32) same(check, "QUOTE_REQUEST_ID", path, check.requestId, tag);
  const deposits = routed.calls
    .flatMap(innerCalls)
    .filter(({ data, to }, index) => checkDeposit(check, { data, to }, `${path}.calls.${index}`));
  if (check.orderId !== undefined) checkPayouts(check, routed, path);
  if (deposits.length > 0) return;
  if (check.orderId !== undefined) {
    differ(check, "QUOTE_ORDER_ID", path, `a deposit of ${check.orderId}`, "none");
    return;
  }
  checkOwn(check, routed, path);
}

/** What the router calls, and what is called by the router's own functions for that. */
function innerCalls({ allowFailure, callData, target }: RoutedCall): readonly { to: string; data: Hex }[] {
  const call = decodeCall(serviceFunctions, callData);
  // A deposit that may fail leaves the money on the router.
  if (allowFailure) return [];
  if (call?.functionName === "cleanupNativeViaCall") return [{ data: call.args[2], to: call.args[1] }];
  if (call?.functionName !== "cleanupErc20sViaCall") return [{ data: callData, to: target }];
  return call.args[1].map((to, index) => ({ data: call.args[2][index] ?? "0x", to }));
}

/** What is deposited for an order has no business elsewhere: plain payments on the way go to nobody else. */
function checkPayouts(check: QuoteCheck, { calls }: Routed, path: string): void {
  if (!check.trusted.isKnown) return;
  const { depositories, receivers, routers, solvers } = check.trusted;
  const allowed = new Set([...ownAccounts(check), ...depositories, ...receivers, ...routers, ...solvers]);
  calls.forEach(({ callData, target }, index) => {
    const call = decodeCall(serviceFunctions, callData);
    const to = callData === "0x" ? target : call?.functionName === "transfer" ? call.args[0] : undefined;
    if (to !== undefined) among(check, "QUOTE_RECIPIENT", `${path}.calls.${index}`, allowed, to);
  });
}

function checkOwn({ wanted, ...check }: QuoteCheck, { calls }: Routed, path: string): void {
  const { recipient, txs = [] } = wanted;
  if (txs.length > 0) {
    let next = 0;
    for (const { callData, target, value } of calls) {
      const tx = txs[next];
      const isNext = tx !== undefined && plain(tx.to) === plain(target) && tx.value === value;
      if (isNext && plain(tx.data) === plain(callData)) next += 1;
    }
    if (next < txs.length)
      differ({ wanted, ...check }, "QUOTE_CALLS", path, `txs.${next}`, "not among the calls");
    return;
  }
  const word = plain(recipient).slice(2);
  const isNamed = calls.some(
    ({ callData, target }) => plain(target) === plain(recipient) || plain(callData).includes(word),
  );
  if (!isNamed) differ({ wanted, ...check }, "QUOTE_RECIPIENT", path, recipient, "not named in any call");
}
