import { BaseError } from "./BaseError.ts";

/**
 * A wallet or chain client is connected to another chain than the quote's. Waybill never switches a wallet's
 * chain.
 */
export class ChainMismatchError extends BaseError {
  override readonly name = "ChainMismatchError";
  declare readonly actualChainId: number;
  declare readonly expectedChainId: number;
  /** The caller's object. */
  declare readonly subject: "publicClient" | "wallet";

  constructor({
    actualChainId,
    expectedChainId,
    subject,
  }: Pick<ChainMismatchError, "actualChainId" | "expectedChainId" | "subject">) {
    super(`The ${subject} is on chain ${actualChainId}, but the quote's chain is ${expectedChainId}.`, {
      code: "CHAIN_MISMATCH",
      metaMessages: ["Connect it to that chain and execute the same quote again."],
    });
    Object.assign(this, { actualChainId, expectedChainId, subject });
  }
}
