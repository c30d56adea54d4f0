import { BaseError } from "./BaseError.ts";

/**
 * A wallet or a chain client is connected to another chain than the quote's origin. Waybill never switches a
 * wallet's chain by itself.
 *
 * @example
 * import { ChainMismatchError } from "waybill/execute";
 *
 * const error = new ChainMismatchError({ actualChainId: 10, expectedChainId: 8453, subject: "wallet" });
 * console.log(error.shortMessage); // The wallet is on chain 10, but the quote's origin is chain 8453.
 */
export class ChainMismatchError extends BaseError {
  override readonly name = "ChainMismatchError";
  declare readonly actualChainId: number;
  declare readonly expectedChainId: number;
  /** Which of the caller's objects it is. */
  declare readonly subject: "publicClient" | "wallet";

  constructor({ actualChainId, expectedChainId, subject }: ChainMismatchErrorOptions) {
    super(
      `The ${subject} is on chain ${actualChainId}, but the quote's origin is chain ${expectedChainId}.`,
      {
        code: "CHAIN_MISMATCH",
        metaMessages: ["Connect it to the origin chain and execute the same quote again."],
      },
    );
    Object.assign(this, { actualChainId, expectedChainId, subject });
  }
}

/** What a {@link ChainMismatchError} is made of. */
export type ChainMismatchErrorOptions = {
  actualChainId: number;
  expectedChainId: number;
  subject: "publicClient" | "wallet";
};
