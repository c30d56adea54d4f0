import type { Hex } from "viem";
import { decodeCall } from "../decodeCall.ts";
import { serviceFunctions } from "../serviceFunctions.ts";
import { amongTrusted, differ, type QuoteCheck, same } from "./QuoteCheck.ts";

/** What a deposit pays, where its calldata says so. */
export type Deposit = { readonly token?: string | undefined; readonly amount?: bigint | undefined };

/**
 * A deposit into the depository: to the right one, for the user, under the order's id.
 *
 * @returns What it deposits; undefined when it is no deposit.
 */
export function checkDeposit(
  check: QuoteCheck,
  { data, to }: { readonly data: Hex; readonly to: string },
  path: string,
): Deposit | undefined {
  const call = decodeCall(serviceFunctions, data);
  if (call?.functionName !== "depositNative" && call?.functionName !== "depositErc20") return undefined;
  const { args } = call;
  const [depositor] = args;
  checkDepository(check, path, to, args[args.length - 1]);
  same(check, "QUOTE_SENDER", `${path}.depositor`, check.wanted.user, depositor);
  if (call.functionName === "depositNative") return {};
  return { amount: call.args.length === 4 ? call.args[2] : undefined, token: call.args[1] };
}

/** Money for an order goes to the depository, with the order's id: neither means anything without the other. */
export function checkDepository(check: QuoteCheck, path: string, to: string, id: unknown): void {
  amongTrusted(check, "QUOTE_TARGET", path, "depositories", to);
  const { orderData, paymentDetails } = check.quote.protocol?.v2 ?? {};
  if (paymentDetails !== undefined) same(check, "QUOTE_TARGET", path, paymentDetails.depository, to);
  if (check.orderId !== undefined) same(check, "QUOTE_ORDER_ID", `${path}.id`, check.orderId, id);
  if (orderData === undefined && check.wanted.request !== undefined) {
    differ(check, "QUOTE_ORDER", "protocol.v2.orderData", "the order that is paid for", "missing");
  }
}
