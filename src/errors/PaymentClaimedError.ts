import { BaseError } from "./BaseError.ts";

/** This process pays the same order or request already, or has paid it. The refused run signed nothing. */
export class PaymentClaimedError extends BaseError {
  override readonly name = "PaymentClaimedError";
  /** Order id or request id of the payment. */
  declare readonly id: string;

  constructor(id: string) {
    super(`This process pays ${id}, or has paid it.`, {
      code: "PAYMENT_CLAIMED",
      metaMessages: ["This run signed nothing. Wait for the other run, or execute with its saved state."],
    });
    Object.assign(this, { id });
  }
}
