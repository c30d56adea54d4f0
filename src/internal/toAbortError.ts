import { AbortedError } from "../errors/AbortedError.ts";
import { BaseError } from "../errors/BaseError.ts";

/**
 * Returns the error for a fired signal: its reason if that is a Waybill error, such as the TimeoutError of an outer
 * limit, else AbortedError.
 */
export function toAbortError(signal: AbortSignal | undefined, operation: string): BaseError {
  const reason: unknown = signal?.reason;
  return reason instanceof BaseError ? reason : new AbortedError({ operation, reason });
}
