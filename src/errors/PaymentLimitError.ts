import { BaseError } from "./BaseError.ts";

/** This process has as many open payments as it can remember. The refused run signed nothing. */
export class PaymentLimitError extends BaseError {
  override readonly name = "PaymentLimitError";
  /** Maximum number of open payments. */
  declare readonly limit: number;

  constructor(limit: number) {
    super(`This process has ${limit} open payments.`, {
      code: "PAYMENT_LIMIT",
      metaMessages: ["This run signed nothing. Payments end at the deadline of their order."],
    });
    Object.assign(this, { limit });
  }
}
