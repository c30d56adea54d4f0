import { PaymentUnsettledError } from "../errors/PaymentUnsettledError.ts";
import { WalletFailedError } from "../errors/WalletFailedError.ts";

/**
 * Errors that prove that the wallet signed nothing: a person's no, and what a wallet answers for a method, account or
 * capability that it lacks (EIP-1193, EIP-1474, EIP-5792, viem, ethers). Every other error may come from a node that has
 * the transaction: a node may take it and answer "insufficient funds", -32601 or -32602.
 */
const certainlyNotDone: ReadonlySet<string> = new Set([
  "ACTION_REJECTED",
  "AccountTypeNotSupportedError",
  ...[4001, 4100, 4200, 5700, 5710, 5740, 5750, 5760].map(String),
]);

/**
 * Converts the error of an asked wallet.
 *
 * @param leavesNothing Whether the request was only for a signature, so that nothing was sent.
 * @returns WalletFailedError when nothing was sent; PaymentUnsettledError when that is not certain.
 */
export function toWalletFailedError(
  cause: unknown,
  { leavesNothing, stepId }: { leavesNothing: boolean; stepId: string },
): PaymentUnsettledError | WalletFailedError {
  const names = answerOf(cause);
  if (!leavesNothing && !names.some((name) => certainlyNotDone.has(name))) {
    return new PaymentUnsettledError({ cause, stepId });
  }
  const userRejected = names.includes("4001") || names.includes("ACTION_REJECTED");
  return new WalletFailedError({ cause, stepId, userRejected });
}

/** Throws the error of a wallet that was asked for a signature or its chain: nothing was sent. */
export function throwNothingSent(stepId: string): (cause: unknown) => never {
  return (cause) => {
    throw toWalletFailedError(cause, { leavesNothing: true, stepId });
  };
}

/**
 * Name (viem) and code of the wallet's own answer. Its causes prove nothing: a wallet may send, and fail with the refusal of
 * a later call.
 */
function answerOf(error: unknown): readonly string[] {
  const isWrapped = error instanceof Error && error.name === "TransactionExecutionError";
  const answer = isWrapped ? error.cause : error;
  return answer instanceof Error ? [answer.name, `${(answer as { code?: unknown }).code}`] : [];
}
