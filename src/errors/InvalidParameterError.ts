import { BaseError } from "./BaseError.ts";

/**
 * An argument of a public function is invalid.
 *
 * @example
 * import { approve, InvalidParameterError } from "waybill";
 *
 * const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
 * try {
 *   approve({ amount: -1n, spender: address, token: address });
 * } catch (error) {
 *   if (error instanceof InvalidParameterError) console.log(error.parameter); // "amount"
 * }
 */
export class InvalidParameterError extends BaseError {
  override readonly name = "InvalidParameterError";
  /** Name of the argument, dotted for nested ones (`record.originUser`). */
  declare readonly parameter: string;

  constructor({ parameter, reason, cause }: { parameter: string; reason: string; cause?: unknown }) {
    super(`Parameter \`${parameter}\` is invalid: ${reason}.`, { cause, code: "INVALID_PARAMETER" });
    this.parameter = parameter;
  }
}
