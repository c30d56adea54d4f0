import { AbortedError } from "../errors/AbortedError.ts";
import { BaseError } from "../errors/BaseError.ts";

/**
 * The error that a fired signal stands for: its reason when that is one of Waybill's own, because a limit
 * around several calls already says what ran out, and AbortedError otherwise.
 *
 * @example
 * toAbortError(AbortSignal.abort("closed"), "reading the chains"); // AbortedError
 */
export function toAbortError(signal: AbortSignal | undefined, operation: string): BaseError {
  const reason: unknown = signal?.reason;
  return reason instanceof BaseError ? reason : new AbortedError({ operation, reason });
}
