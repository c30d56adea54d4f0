import type { Hex } from "viem";
import { decodeCall } from "../decodeCall.ts";
import { proofFunctions } from "./proofFunctions.ts";
import { expectEqual, expectRole, type QuoteCheck, report } from "./QuoteCheck.ts";

/** A deposit, as far as its calldata shows it. */
export type Deposit = {
  readonly isNative: boolean;
  readonly token?: string | undefined;
  /** Undefined when it takes the whole allowance. */
  readonly amount?: bigint | undefined;
};

/**
 * Checks a deposit: the depository, the depositor and the order id.
 *
 * @returns The deposit; undefined for other calldata.
 */
export function checkDeposit(
  check: QuoteCheck,
  { data, to }: { readonly data: Hex; readonly to: string },
  path: string,
): Deposit | undefined {
  const call = decodeCall(proofFunctions, data);
  if (call?.functionName !== "depositNative" && call?.functionName !== "depositErc20") return undefined;
  const { args, tag } = call;
  const [depositor] = args;
  checkDepository(check, path, to, args[args.length - 1]);
  expectEqual(check, "QUOTE_SENDER", `${path}.depositor`, check.wanted.user, depositor);
  if (tag !== "0x") expectEqual(check, "QUOTE_REQUEST_ID", `${path}.tag`, check.requestId, tag);
  if (call.functionName === "depositNative") return { isNative: true };
  return { amount: call.args.length === 4 ? call.args[2] : undefined, isNative: false, token: call.args[1] };
}

/** Checks that a payment goes to the depository exactly when it carries the order id. */
export function checkDepository(check: QuoteCheck, path: string, to: string, id: unknown): void {
  const { orderData, paymentDetails } = check.quote.protocol?.v2 ?? {};
  if (check.wanted.request !== undefined) {
    expectRole(check, "QUOTE_TARGET", path, "depository", [check.chains.origin?.depository], to);
  } else if (paymentDetails !== undefined) {
    expectEqual(check, "QUOTE_TARGET", path, paymentDetails.depository, to);
  }
  if (check.orderId !== undefined) expectEqual(check, "QUOTE_ORDER_ID", `${path}.id`, check.orderId, id);
  if (orderData === undefined && check.wanted.request !== undefined) {
    report(check, "QUOTE_ORDER", "protocol.v2.orderData", "the order that is paid for", "missing");
  }
}
