import { openEnum } from "../wire/openEnum.ts";

/**
 * Every kind of request that the interface names.
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

/**
 * A kind of request as a client reads it: undocumented values pass.
 *
 * @example
 * requestTypeSchema.parse("Crosschain Swap"); // "Crosschain Swap"
 */
export const requestTypeSchema = openEnum(requestTypes);
