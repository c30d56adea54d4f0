import { printable } from "../errors/printable.ts";
import type { QuoteMismatch } from "../errors/QuoteMismatchError.ts";

/** A wallet request that a guard refused. */
export type Refusal = {
  readonly method: string;
  /** Why, in a sentence for people. */
  readonly reason: string;
  /** Differences of the quote that the request belongs to; empty when it belongs to none. */
  readonly differences: readonly QuoteMismatch[];
};

/**
 * The guard refused a wallet request; the wallet never received it. `code` is EIP-1193's 4100 (unauthorized): official client
 * and widget take 4001 for the person's own refusal, and viem repeats a request after -32601, -32602 and -32000.
 *
 * Not a `BaseError`, because wallet errors have numeric codes.
 *
 * @example
 * import { RefusedRequestError } from "waybill/guard";
 *
 * const error = new RefusedRequestError({ differences: [], method: "eth_sign", reason: "it is not listed" });
 * console.log(error.code, error.message); // 4100 The guard refused eth_sign: it is not listed.
 */
export class RefusedRequestError extends Error {
  override readonly name = "RefusedRequestError";
  readonly code = 4100;
  readonly data: Refusal;

  constructor(refusal: Refusal) {
    // Clients show the message, and take the word for the person's refusal, which they pass over in silence.
    const [method, reason] = [printable(refusal.method, 100), printable(refusal.reason)];
    super(`The guard refused ${method}: ${reason}.`.replace(/reject/gi, "refus"));
    this.data = refusal;
  }
}
