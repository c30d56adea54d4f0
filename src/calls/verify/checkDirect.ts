import { type Hex, zeroAddress } from "viem";
import type { DecodedCall } from "../decodeCall.ts";
import { checkDepository } from "./checkDeposit.ts";
import { normalizeForComparison } from "./normalizeForComparison.ts";
import type { proofFunctions } from "./proofFunctions.ts";
import {
  expectAtLeast,
  expectEqual,
  expectOneOf,
  expectRole,
  isOneChain,
  type Payment,
  paysNative,
  type QuoteCheck,
  report,
} from "./QuoteCheck.ts";

/** The call of the user's transaction. */
export type PaymentCall = {
  readonly call: DecodedCall<typeof proofFunctions> | undefined;
  readonly calldata: Hex;
  readonly to: string;
};

/** Selectors of the wrapped native currency. */
const wrap = "0xd0e30db0";
const unwrap = "0x2e1a7d4d";

/** Checks a payment without a router: a transfer, a wrap or an unwrap. Output equals input. */
export function checkDirect(
  check: QuoteCheck,
  { call, calldata, to }: PaymentCall,
  path: string,
): Payment["kind"] {
  const { amountIn, destinationCurrency, originCurrency } = check.wanted;
  const { relayReceiver } = check.chains.origin ?? {};
  const id = normalizeForComparison(check.requestId).slice(2);
  const data = normalizeForComparison(calldata);
  const isOwn = isOneChain(check);
  if (call?.functionName === "forward" && paysNative(check) && !isOwn) {
    expectRole(check, "QUOTE_TARGET", `${path}.to`, "receiver", [relayReceiver], to);
    expectEqual(check, "QUOTE_REQUEST_ID", `${path}.data`, check.requestId, call.args[0]);
    return "request";
  }
  if (data === `0x${id}` && paysNative(check)) {
    if (isOwn) return checkSent(check, to, `${path}.to`);
    const receivers = relayReceiver === undefined ? [] : [normalizeForComparison(relayReceiver)];
    expectOneOf(check, "QUOTE_TARGET", `${path}.to`, new Set([...check.solvers, ...receivers]), to);
    return "request";
  }
  const isWrap = data === `${wrap}${id}` && paysNative(check);
  const isUnwrap = data === `${unwrap}${amountIn.toString(16).padStart(64, "0")}${id}`;
  if (!isOwn || !(isWrap || isUnwrap)) {
    report(check, "QUOTE_CALL", `${path}.data`, "a payment of the service's", data.slice(0, 10));
    return "own";
  }
  checkWrap(check, { isWrap, to, token: isWrap ? destinationCurrency : originCurrency }, path);
  return "own";
}

function checkWrap(
  check: QuoteCheck,
  { isWrap, to, token }: { readonly isWrap: boolean; readonly to: string; readonly token: string },
  path: string,
): void {
  const { destinationCurrency, recipient, user } = check.wanted;
  const { wrappedNative } = check.chains.origin ?? {};
  expectRole(check, "QUOTE_TARGET", `${path}.to`, "wrapped native currency", [wrappedNative], to);
  expectEqual(check, "QUOTE_TARGET", `${path}.to`, token, to);
  if (!isWrap) expectEqual(check, "QUOTE_CURRENCY", `${path}.data`, zeroAddress, destinationCurrency);
  expectEqual(check, "QUOTE_RECIPIENT", `${path}.from`, recipient, user);
  checkOneForOne(check, path);
}

/** Checks a transfer with an appended id: to the depository for an order, to the solver or recipient for a request. */
export function checkTagged(
  check: QuoteCheck,
  { tag, to }: { tag: Hex; to: string },
  path: string,
): Payment["kind"] {
  if (normalizeForComparison(tag) !== normalizeForComparison(check.requestId)) {
    // The service reads the first half of such an id as padding, and matches no order.
    if (/^0x0{32}/.test(tag)) report(check, "QUOTE_ORDER_ID", `${path}.id`, "an id that is read", tag);
    // The service reads the id from the transaction's calldata. A contract account's transfer is an inner call.
    if (check.wanted.request !== undefined && check.wanted.request.explicitDeposit !== false) {
      report(check, "QUOTE_CALL", path, "a deposit, unless `explicitDeposit` is false", "a transfer");
    }
    checkDepository(check, path, to, tag);
    return "order";
  }
  if (isOneChain(check)) return checkSent(check, to, path);
  expectOneOf(check, "QUOTE_TARGET", path, check.solvers, to);
  return "request";
}

/** Checks a transfer of the same currency to the recipient. */
function checkSent(check: QuoteCheck, to: string, path: string): Payment["kind"] {
  const { destinationCurrency, originCurrency, recipient } = check.wanted;
  expectEqual(check, "QUOTE_RECIPIENT", path, recipient, to);
  expectEqual(check, "QUOTE_CURRENCY", path, destinationCurrency, originCurrency);
  checkOneForOne(check, path);
  return "own";
}

function checkOneForOne(check: QuoteCheck, path: string): void {
  const { amountIn, minimumOut, txs = [] } = check.wanted;
  expectAtLeast(check, path, minimumOut, amountIn);
  if (txs.length > 0) report(check, "QUOTE_CALLS", path, "the calls that were asked for", "none");
}
