import { BaseError } from "./BaseError.ts";

/** A step's transaction reverted. It spent only gas; later steps were not sent. */
export class TransactionRevertedError extends BaseError {
  override readonly name = "TransactionRevertedError";
  declare readonly blockNumber: bigint;
  declare readonly chainId: number;
  declare readonly hash: `0x${string}`;
  declare readonly stepId: string;

  constructor({
    blockNumber,
    chainId,
    hash,
    stepId,
  }: Pick<TransactionRevertedError, "blockNumber" | "chainId" | "hash" | "stepId">) {
    super(`The transaction of step ${stepId} reverted on chain ${chainId}.`, {
      code: "TRANSACTION_REVERTED",
      metaMessages: [`Transaction: ${hash}`, `Block: ${blockNumber}`],
    });
    Object.assign(this, { blockNumber, chainId, hash, stepId });
  }
}
