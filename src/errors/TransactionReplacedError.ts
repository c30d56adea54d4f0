import { BaseError } from "./BaseError.ts";

/**
 * A node shows another transaction of the account with the nonce of a step's transaction: the user cancelled or replaced
 * it. The step is never sent again, because a node can show a transaction that was not mined. Request a new quote once
 * the other transaction is final by a node of your own.
 *
 * @example
 * import { TransactionReplacedError } from "waybill/execute";
 *
 * const hash = "0x90b6e106cb46dfb411fa528da7f5177ecaf4761f6b7242f00418cc7d4285943c";
 * const replacedBy = "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a";
 * console.log(new TransactionReplacedError({ hash, replacedBy, stepId: "deposit" }).code); // "TRANSACTION_REPLACED"
 */
export class TransactionReplacedError extends BaseError {
  override readonly name = "TransactionReplacedError";
  declare readonly hash: `0x${string}`;
  declare readonly replacedBy: `0x${string}`;
  declare readonly stepId: string;

  constructor({
    hash,
    replacedBy,
    stepId,
  }: Pick<TransactionReplacedError, "hash" | "replacedBy" | "stepId">) {
    super(`The transaction of step ${stepId} was replaced by another one.`, {
      code: "TRANSACTION_REPLACED",
      metaMessages: [
        `Transaction: ${hash}`,
        `Replaced by: ${replacedBy}`,
        "Request a new quote once the other transaction is final. This one is not sent again.",
      ],
    });
    Object.assign(this, { hash, replacedBy, stepId });
  }
}
