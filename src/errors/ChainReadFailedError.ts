import { BaseError as ChainError, HttpRequestError, RpcRequestError } from "viem";
import { BaseError } from "./BaseError.ts";
import { redactUrls } from "./redactUrls.ts";

/**
 * A chain's node did not answer a read, or refused it: nothing is known of what was read. It is never a revert.
 *
 * `retryable` is true when no answer came, and false when the node said no.
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
  /** What the read was for. */
  declare readonly operation: string;

  constructor({ cause, operation }: ChainReadFailedErrorOptions) {
    const refused = isRefusal(cause);
    super(`The chain ${refused ? "refused to answer" : "did not answer"} while ${operation}.`, {
      code: "CHAIN_READ_FAILED",
      // The whole text names the node's address, which may hold a key; the node's own words seldom do.
      // viem's type promises a text, and errors of its own have none.
      details:
        cause instanceof ChainError && typeof cause.details === "string"
          ? redactUrls(cause.details)
          : undefined,
      retryable: !refused,
    });
    this.operation = operation;
  }
}

/** What a {@link ChainReadFailedError} is made of. */
export type ChainReadFailedErrorOptions = {
  /** What the chain's client threw; only the node's own words are kept. */
  cause: unknown;
  /** The end of "did not answer while …". */
  operation: string;
};

/**
 * Whether a node answered and said no, so that asking again does not help.
 *
 * @example
 * isRefusal(new Error("socket closed")); // false
 */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof ChainError)) return false;
  const refused = error.walk(
    (inner) =>
      inner instanceof RpcRequestError ||
      (inner instanceof HttpRequestError && [400, 403, 404, 405, 501].includes(inner.status ?? 0)),
  );
  return refused !== null;
}
