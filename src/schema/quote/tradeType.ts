import * as z from "zod/mini";

/**
 * Meaning of the quote's `amount`.
 *
 * - `EXACT_INPUT`: the input; the output varies.
 * - `EXACT_OUTPUT`: the exact output, else the deposit is refunded; fees are added to the input.
 * - `EXPECTED_OUTPUT`: the expected output, which may vary within the slippage.
 */
export const tradeTypes = ["EXACT_INPUT", "EXACT_OUTPUT", "EXPECTED_OUTPUT"] as const;

/** One of {@link tradeTypes}. */
export type TradeType = (typeof tradeTypes)[number];

/** A trade type. Rejects undocumented values: clients only send it. */
export const tradeTypeSchema = z.enum(tradeTypes);
