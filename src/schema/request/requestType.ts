import { openEnum } from "../wire/openEnum.ts";

/**
 * Every documented request type.
 *
 * @example
 * import { requestTypes } from "waybill/client";
 *
 * console.log(requestTypes.includes("Bridge")); // true
 */
export const requestTypes = [
  "Bridge",
  "Crosschain Swap",
  "Same-chain Swap",
  "Send",
  "Wrap",
  "Unwrap",
  "Call",
] as const;

/** One of {@link requestTypes}. */
export type RequestType = (typeof requestTypes)[number];

/** A request type in a response; accepts undocumented values. */
export const requestTypeSchema = openEnum(requestTypes);
