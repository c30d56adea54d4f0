import { BaseError } from "./BaseError.ts";

/**
 * A step's transaction reverted. It spent only gas; later steps were not sent.
 *
 * @example
 * import { TransactionRevertedError } from "waybill/execute";
 *
 * const hash = "0x90b6e106cb46dfb411fa528da7f5177ecaf4761f6b7242f00418cc7d4285943c";
 * const error = new TransactionRevertedError({ blockNumber: 7n, chainId: 1, hash, stepId: "deposit" });
 * console.log(error.code); // "TRANSACTION_REVERTED"
 */
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
