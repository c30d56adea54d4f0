import { openEnum } from "../wire/openEnum.ts";

/**
 * Every documented reason why a refund failed. `N/A` stands for none.
 *
 * @example
 * import { refundFailReasons } from "waybill/client";
 *
 * console.log(refundFailReasons.includes("N/A")); // true
 */
export const refundFailReasons = [
  "AMOUNT_TOO_LOW_TO_REFUND",
  "NEGATIVE_NEW_AMOUNT_AFTER_FEES",
  "SWAP_CURRENCY_NOT_ON_ORIGIN",
  "REFUND_RECIPIENT_IS_VASP",
  "N/A",
] as const;

/** One of {@link refundFailReasons}. */
export type RefundFailReason = (typeof refundFailReasons)[number];

/**
 * A refund fail reason as a client reads it: undocumented values pass.
 *
 * @example
 * refundFailReasonSchema.parse("N/A"); // "N/A"
 */
export const refundFailReasonSchema = openEnum(refundFailReasons);
