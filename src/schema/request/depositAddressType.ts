import { openEnum } from "../wire/openEnum.ts";

/**
 * Every type of deposit address.
 *
 * - `open`: reusable; what arrives is quoted again.
 * - `strict`: for one quote; what does not fit it is given back.
 *
 * @example
 * import { depositAddressTypes } from "waybill/client";
 *
 * console.log(depositAddressTypes); // ["strict", "open"]
 */
export const depositAddressTypes = ["strict", "open"] as const;

/** One of {@link depositAddressTypes}. */
export type DepositAddressType = (typeof depositAddressTypes)[number];

/**
 * A type of deposit address as a client reads it: undocumented values pass.
 *
 * @example
 * depositAddressTypeSchema.parse("open"); // "open"
 */
export const depositAddressTypeSchema = openEnum(depositAddressTypes);
