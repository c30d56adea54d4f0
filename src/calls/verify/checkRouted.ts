import { type Address, zeroAddress } from "viem";
import { decodeCall } from "../decodeCall.ts";
import { checkRoutedDeposit } from "./checkRoutedDeposit.ts";
import { normalizeForComparison } from "./normalizeForComparison.ts";
import type { OutputClaim } from "./OutputClaim.ts";
import { proofFunctions } from "./proofFunctions.ts";
import {
  expectEqual,
  expectOneOf,
  isOneChain,
  ownAccounts,
  type Payment,
  type QuoteCheck,
  report,
} from "./QuoteCheck.ts";
import type { Routed, RoutedCall } from "./Routed.ts";

/**
 * Checks a router's calls. Does not decode swaps. For an order, the last call must deposit the input and must not be
 * allowed to fail. On one chain, adds a claim about the output for the guard or the simulation.
 *
 * @returns The kind of the payment.
 */
export function checkRouted(check: QuoteCheck, routed: Routed, path: string): Payment["kind"] {
  const { nftRecipient, refundTo, tag } = routed;
  const own = ownAccounts(check);
  // The router sends native output to `refundTo`, so the recipient is allowed too.
  expectOneOf(check, "QUOTE_REFUND", `${path}.refundTo`, own, refundTo);
  if (nftRecipient !== zeroAddress) {
    expectOneOf(check, "QUOTE_RECIPIENT", `${path}.nftRecipient`, own, nftRecipient);
  }
  if (tag !== "0x") expectEqual(check, "QUOTE_REQUEST_ID", path, check.requestId, tag);
  if (check.orderId !== undefined) {
    checkPayouts(check, routed, path);
    checkRoutedDeposit(check, routed, path);
    return "order";
  }
  if (isOneChain(check)) checkOwn(check, routed, path);
  else report(check, "QUOTE_ORDER", "protocol.v2.orderData", "the order that is paid for", "missing");
  return "own";
}

/** Only the depository may be paid for an order: rejects plain transfers to other accounts. */
function checkPayouts(check: QuoteCheck, { calls }: Routed, path: string): void {
  const { depository, relayReceiver, routers = [] } = check.chains.origin ?? {};
  const roles = [depository, relayReceiver, ...routers.flatMap((each) => [each.router, each.approvalProxy])];
  const allowed = new Set([...ownAccounts(check), ...roles.map(normalizeForComparison), ...check.solvers]);
  calls.forEach(({ callData, target }, index) => {
    const call = decodeCall(proofFunctions, callData);
    const to = callData === "0x" ? target : call?.functionName === "transfer" ? call.args[0] : undefined;
    if (to !== undefined) expectOneOf(check, "QUOTE_RECIPIENT", `${path}.calls.${index}`, allowed, to);
  });
}

/** On one chain, the output goes to the recipient, or stays on the router for the requested calls at the end. */
function checkOwn(check: QuoteCheck, routed: Routed, path: string): void {
  const { calls } = routed;
  const { destinationCurrency, minimumOut, recipient, txs = [] } = check.wanted;
  const index = calls.length - txs.length;
  const isLast = txs.every((tx, at) => isSameCall(tx, calls[index + at]));
  if (!isLast) report(check, "QUOTE_CALLS", path, "the calls that were asked for, last", "other calls");
  if (txs.length === 0) checkNamed(check, routed, path);
  if (routed.by === undefined || !isLast) return;
  const isSpent = txs.length > 0;
  check.claims.push({
    account: (isSpent ? routed.by.router : recipient) as Address,
    calls,
    currency: destinationCurrency as Address,
    index,
    isOpen: routed.isOpen,
    kind: isSpent ? "balance" : "gain",
    minimum: minimumOut,
    path,
    router: routed.by.router,
    version: routed.by.version,
  } satisfies OutputClaim);
}

function isSameCall(
  tx: { readonly to: string; readonly data: string; readonly value: bigint },
  call: RoutedCall | undefined,
): boolean {
  return (
    call !== undefined &&
    !call.allowFailure &&
    call.value === tx.value &&
    normalizeForComparison(call.target) === normalizeForComparison(tx.to) &&
    normalizeForComparison(call.callData) === normalizeForComparison(tx.data)
  );
}

/** Rejects a route that never names the recipient, before it costs gas. */
function checkNamed(check: QuoteCheck, { calls }: Routed, path: string): void {
  const { recipient } = check.wanted;
  const word = normalizeForComparison(recipient).slice(2);
  const isNamed = calls.some(
    ({ callData, target }) =>
      normalizeForComparison(target) === normalizeForComparison(recipient) ||
      normalizeForComparison(callData).includes(word),
  );
  if (!isNamed) report(check, "QUOTE_RECIPIENT", path, recipient, "not named in any call");
}
