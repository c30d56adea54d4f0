import { BaseError } from "../errors/BaseError.ts";

/** Faults of a withdrawal before signing, or of a signature before submission. */
export type WithdrawalFault =
  | "amount-mismatch"
  | "nonce-mismatch"
  | "nonce-too-new"
  | "nonce-too-old"
  | "order-mismatch"
  | "order-signed"
  | "signer-mismatch"
  | "steps"
  | "typed-data"
  | "wallet-mismatch";

const sentences: Record<WithdrawalFault, string> = {
  "amount-mismatch": "The withdrawal sends another amount than the quote says.",
  "nonce-mismatch": "The nonces of the withdrawal differ: the transfer could not be linked to the request.",
  "nonce-too-new": "The exchange does not take the withdrawal's nonce yet.",
  "nonce-too-old": "The exchange does not take the withdrawal's nonce any more: ask for a new quote.",
  "order-mismatch": "The withdrawal names another order than the quote.",
  "order-signed":
    "Another nonce was signed for the order: this transfer would pay it again. Ask for a new quote.",
  "signer-mismatch": "Another account than the withdrawal's signed it.",
  steps: "The quote has not the two steps of a withdrawal, authorize and deposit, with one item each.",
  "typed-data": "The withdrawal asks for a signature that is not the exchange's or the service's typed data.",
  "wallet-mismatch": "The withdrawal is for another wallet.",
};

export type WithdrawalInvalidErrorOptions = {
  actual?: string | undefined;
  expected?: string | undefined;
  fault: WithdrawalFault;
  /** Path in the quote. */
  path: string;
};

/**
 * A withdrawal from the perps exchange is unsafe to sign or submit.
 *
 * @example
 * import { type VerifyWithdrawalParameters, verifyWithdrawal, WithdrawalInvalidError } from "waybill/perps";
 *
 * declare const parameters: VerifyWithdrawalParameters;
 * try {
 *   await verifyWithdrawal(parameters);
 * } catch (error) {
 *   if (error instanceof WithdrawalInvalidError) console.log(error.fault, error.path);
 * }
 */
export class WithdrawalInvalidError extends BaseError {
  override readonly name = "WithdrawalInvalidError";
  declare readonly actual: string | undefined;
  declare readonly expected: string | undefined;
  declare readonly fault: WithdrawalFault;
  /** Where in the quote. */
  declare readonly path: string;

  constructor({ actual, expected, fault, path }: WithdrawalInvalidErrorOptions) {
    super(sentences[fault], {
      code: "WITHDRAWAL_INVALID",
      metaMessages: [
        `At: ${path}`,
        ...(expected === undefined ? [] : [`Expected: ${expected}`]),
        ...(actual === undefined ? [] : [`Actual: ${actual}`]),
      ],
    });
    Object.assign(this, { actual, expected, fault, path });
  }
}
