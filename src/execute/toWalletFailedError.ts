import { BaseError } from "viem";
import { WalletFailedError } from "../errors/WalletFailedError.ts";

/**
 * Errors of viem that arise before a transaction leaves, or that say that it was refused. Any other one may
 * hide a transaction that is on its way: a node that answers "already known" has it.
 */
const certainlyNotDone: ReadonlySet<string> = new Set([
  "AccountNotFoundError",
  "ChainMismatchError",
  "EstimateGasExecutionError",
  "ExecutionRevertedError",
  "InsufficientFundsError",
  "InvalidAddressError",
  "InvalidParamsRpcError",
  "IntrinsicGasTooLowError",
  "MethodNotFoundRpcError",
  "MethodNotSupportedRpcError",
  "UnauthorizedProviderError",
  "UnsupportedProviderMethodError",
  "UserRejectedRequestError",
]);

/**
 * Turns what a wallet threw into WalletFailedError. This is the only place that looks into a wallet's errors.
 *
 * @param leavesNothing Whether the wallet was only asked to sign: whatever happened, nothing was sent.
 *
 * @example
 * throw toWalletFailedError(new Error("connection reset"), {
 *   leavesNothing: false,
 *   stepId: "deposit",
 * }); // outcome "unknown"
 */
export function toWalletFailedError(
  cause: unknown,
  { leavesNothing, stepId }: { leavesNothing: boolean; stepId: string },
): WalletFailedError {
  const names = namesOf(cause);
  const isCertain = leavesNothing || names.some((name) => certainlyNotDone.has(name));
  return new WalletFailedError({
    cause,
    outcome: isCertain ? "notDone" : "unknown",
    stepId,
    userRejected: names.includes("UserRejectedRequestError"),
  });
}

function namesOf(error: unknown): readonly string[] {
  const names: string[] = [];
  if (!(error instanceof BaseError)) return names;
  error.walk((inner) => {
    if (inner instanceof Error) names.push(inner.name);
    return false;
  });
  return names;
}
