import { AbortedError } from "../errors/AbortedError.ts";
import type { StepRejectedError } from "../errors/StepRejectedError.ts";
import { WalletFailedError } from "../errors/WalletFailedError.ts";

/**
 * Errors that arise when the gas of a transaction is estimated: it would revert. A node's "execution
 * reverted" alone is no such proof, because a node that mines at once says it of a transaction that is mined.
 */
const estimateErrors = ["EstimateGasExecutionError", "CALL_EXCEPTION estimateGas"];

/**
 * What arises before a transaction leaves, or says that it was refused: names of viem's errors, codes of
 * ethers', and codes of EIP-1193, EIP-1474 and EIP-5792. Any other one may hide a transaction that is on its
 * way: a node that answers "already known" has it.
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
 * Turns what a wallet threw into WalletFailedError. An abort before it was asked stays what it is.
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
 * Whether a wallet found out, before it sent anything, that the transaction would revert.
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

/**
 * What an error and its causes are called: names in viem, codes elsewhere; ethers also tells what was done.
 */
function namesOf(error: unknown): readonly string[] {
  const names: string[] = [];
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const { action, code } = inner as { action?: unknown; code?: unknown };
    names.push(inner.name, `${code}`, `${code} ${action}`);
  }
  return names;
}
