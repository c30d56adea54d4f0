import * as z from "zod/mini";

/**
 * What the quote's `amount` fixes.
 *
 * - `EXACT_INPUT`: it is the input; the output varies.
 * - `EXACT_OUTPUT`: it is the output, to the unit, or the deposit is refunded; fees are added to the input.
 * - `EXPECTED_OUTPUT`: it is the output as expected now; it may vary within the slippage.
 *
 * @example
 * import { tradeTypes } from "waybill/client";
 *
 * console.log(tradeTypes); // ["EXACT_INPUT", "EXACT_OUTPUT", "EXPECTED_OUTPUT"]
 */
export const tradeTypes = ["EXACT_INPUT", "EXACT_OUTPUT", "EXPECTED_OUTPUT"] as const;

/** One of {@link tradeTypes}. */
export type TradeType = (typeof tradeTypes)[number];

/**
 * A trade type. Closed: it is sent, never received.
 *
 * @example
 * tradeTypeSchema.safeParse("EXACT").success; // false
 */
export const tradeTypeSchema = z.enum(tradeTypes);
