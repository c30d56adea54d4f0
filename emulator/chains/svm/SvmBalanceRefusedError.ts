import { BaseError } from "../../../src/errors/BaseError.ts";

/** A balance cannot be set on the SVM chain; nothing changed. */
export class SvmBalanceRefusedError extends BaseError {
  override readonly name = "SvmBalanceRefusedError";

  constructor(reason: string) {
    super(`The balance cannot be set: ${reason}.`, { code: "SVM_BALANCE_REFUSED" });
  }
}
