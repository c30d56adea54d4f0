import { BaseError } from "./BaseError.ts";

/**
 * The caller's `AbortSignal` fired. Transactions and submissions already sent stay sent.
 *
 * @example
 * import { AbortedError, createClient, getChains, production } from "waybill/client";
 *
 * try {
 *   await getChains(createClient(production), { signal: AbortSignal.abort() });
 * } catch (error) {
 *   console.log(error instanceof AbortedError); // true
 * }
 */
export class AbortedError extends BaseError {
  override readonly name = "AbortedError";
  declare readonly operation: string;

  constructor({ operation, reason }: { operation: string; reason?: unknown }) {
    super(`Aborted while ${operation}.`, { cause: reason, code: "ABORTED" });
    this.operation = operation;
  }
}
