import { openEnum } from "../wire/openEnum.ts";

/**
 * Every documented reason of a failed refund. `N/A` means none.
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

/** A refund fail reason in a response; accepts undocumented values. */
export const refundFailReasonSchema = openEnum(refundFailReasons);
