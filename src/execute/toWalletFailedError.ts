import { AbortedError } from "../errors/AbortedError.ts";
import type { StepRejectedError } from "../errors/StepRejectedError.ts";
import { WalletFailedError } from "../errors/WalletFailedError.ts";

/**
 * Errors of gas estimation: the transaction would revert. "execution reverted" alone does not prove that, because
 * automining nodes also report it for a mined transaction.
 */
const estimateErrors = ["EstimateGasExecutionError", "CALL_EXCEPTION estimateGas"];

/**
 * Errors that prove that no transaction was sent: names of viem errors, ethers codes, and codes of EIP-1193, EIP-1474
 * and EIP-5792. After any other error, a transaction may be in flight: a node that answers "already known" has it.
 */
const certainlyNotDone: ReadonlySet<string> = new Set([
  ...estimateErrors,
  "ACTION_REJECTED",
  "AccountNotFoundError",
  "AccountTypeNotSupportedError",
  "ChainMismatchError",
  "INSUFFICIENT_FUNDS",
  "InsufficientFundsError",
  "InvalidAddressError",
  "IntrinsicGasTooLowError",
  "UNSUPPORTED_OPERATION",
  ...[-32601, -32602, -32004, 4001, 4100, 4200, 5700, 5710, 5740, 5750, 5760].map(String),
]);

/**
 * Converts a wallet's error to WalletFailedError. Passes an AbortedError through.
 *
 * @param leavesNothing Whether the request was only for a signature, so that nothing was sent.
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
): AbortedError | WalletFailedError {
  if (cause instanceof AbortedError) return cause;
  const names = namesOf(cause);
  const isCertain = leavesNothing || names.some((name) => certainlyNotDone.has(name));
  return new WalletFailedError({
    cause,
    outcome: isCertain ? "notDone" : "unknown",
    stepId,
    userRejected: names.includes("4001") || names.includes("ACTION_REJECTED"),
  });
}

/**
 * Whether a wallet found before sending that the transaction would revert.
 *
 * @example
 * isEstimateFailure(new Error("connection reset")); // false
 */
export function isEstimateFailure(cause: unknown): boolean {
  return namesOf(cause).some((name) => estimateErrors.includes(name));
}

/**
 * Whether it is certain that nothing was sent.
 *
 * @example
 * isNotDone(new AbortedError({ operation: "executing a quote" })); // true
 */
export function isNotDone(error: AbortedError | StepRejectedError | WalletFailedError): boolean {
  return !("outcome" in error) || error.outcome === "notDone";
}

/** Collects names (viem) and codes of an error and its causes, and the `action` of ethers errors. */
function namesOf(error: unknown): readonly string[] {
  const names: string[] = [];
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const { action, code } = inner as { action?: unknown; code?: unknown };
    names.push(inner.name, `${code}`, `${code} ${action}`);
  }
  return names;
}
