import { BaseError as ChainError, HttpRequestError, RpcRequestError } from "viem";
import { BaseError } from "./BaseError.ts";
import { redactUrls } from "./redactUrls.ts";

/**
 * A chain's node did not answer a read, or rejected it. Never a revert.
 *
 * `retryable` is true without a response, and false after a rejection.
 *
 * @example
 * import { createPublicClient, http } from "viem";
 * import { ChainReadFailedError, simulateCalls } from "waybill";
 *
 * const client = createPublicClient({ transport: http("http://127.0.0.1:1", { retryCount: 0 }) });
 * const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
 * try {
 *   await simulateCalls(client, { recipient, router: recipient, txs: [] });
 * } catch (error) {
 *   if (error instanceof ChainReadFailedError) console.log(error.retryable); // true
 * }
 */
export class ChainReadFailedError extends BaseError {
  override readonly name = "ChainReadFailedError";
  /** Purpose of the read. */
  declare readonly operation: string;

  constructor({ cause, operation }: ChainReadFailedErrorOptions) {
    const refused = isRefusal(cause);
    super(`The chain ${refused ? "refused to answer" : "did not answer"} while ${operation}.`, {
      code: "CHAIN_READ_FAILED",
      // Keeps only `details`: the full message contains the node's URL, which may hold a key. viem's types promise
      // `details`, but some of its errors lack it.
      details:
        cause instanceof ChainError && typeof cause.details === "string"
          ? redactUrls(cause.details)
          : undefined,
      retryable: !refused,
    });
    this.operation = operation;
  }
}

export type ChainReadFailedErrorOptions = {
  /** Error of the chain client; only the node's text is kept. */
  cause: unknown;
  /** Completes "did not answer while …". */
  operation: string;
};

/** Whether a node rejected the read, so that a retry does not help. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof ChainError)) return false;
  const refused = error.walk(
    (inner) =>
      inner instanceof RpcRequestError ||
      (inner instanceof HttpRequestError && [400, 403, 404, 405, 501].includes(inner.status ?? 0)),
  );
  return refused !== null;
}
