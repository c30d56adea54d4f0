import { openEnum } from "../wire/openEnum.ts";

/**
 * Every type of deposit address.
 *
 * - `open`: reusable; each payment is requoted.
 * - `strict`: for one quote; other payments are refunded.
 */
export const depositAddressTypes = ["strict", "open"] as const;

/** One of {@link depositAddressTypes}. */
export type DepositAddressType = (typeof depositAddressTypes)[number];

/** A deposit address type in a response; accepts undocumented values. */
export const depositAddressTypeSchema = openEnum(depositAddressTypes);
