import { PaymentUnsettledError } from "../errors/PaymentUnsettledError.ts";
import { WalletFailedError } from "../errors/WalletFailedError.ts";

/**
 * Errors that prove that the wallet signed nothing: a person's no, and what a wallet answers for a method, account or
 * capability that it lacks (EIP-1193, EIP-1474, EIP-5792, viem, ethers). Every other error may come from a node that has
 * the transaction: a node may take it and answer "insufficient funds", -32601 or -32602.
 */
const certainlyNotDone: readonly unknown[] = [
  "ACTION_REJECTED",
  "AccountTypeNotSupportedError",
  ...[4001, 4100, 4200, 5700, 5710, 5740, 5750, 5760],
];

/**
 * Converts the error of an asked wallet: to WalletFailedError when nothing was sent, to PaymentUnsettledError when that is
 * not certain. A request for a signature alone `leavesNothing`.
 */
export function toWalletFailedError(
  cause: unknown,
  { leavesNothing, stepId }: { leavesNothing: boolean; stepId: string },
): PaymentUnsettledError | WalletFailedError {
  // The causes of its answer prove nothing: a wallet may send, and fail with the refusal of a later call.
  const isWrapped = cause instanceof Error && cause.name === "TransactionExecutionError";
  const answer = isWrapped ? cause.cause : cause;
  const names: unknown[] = answer instanceof Error ? [answer.name, (answer as { code?: unknown }).code] : [];
  if (!leavesNothing && !names.some((each) => certainlyNotDone.includes(each))) {
    return new PaymentUnsettledError({ cause, stepId });
  }
  const userRejected = names.includes(4001) || names.includes("ACTION_REJECTED");
  return new WalletFailedError({ cause, stepId, userRejected });
}

/** Throws the error of a wallet that was asked for a signature: nothing was sent. */
export const throwNothingSent =
  (stepId: string) =>
  (cause: unknown): never => {
    throw toWalletFailedError(cause, { leavesNothing: true, stepId });
  };
