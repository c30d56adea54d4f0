import { BaseError } from "./BaseError.ts";

/**
 * A node shows another transaction of the account with the nonce of a step's transaction: the user cancelled or replaced
 * it. The step is never sent again, because a node can show a transaction that was not mined. Request a new quote once
 * the other transaction is final by a node of your own.
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
