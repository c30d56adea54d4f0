import * as z from "zod/mini";

/**
 * Rejects fractions and unsafe integers. In place of `z.int`: every bundle has checks of this kind, and none of number
 * formats. Descriptions of the wire recognize whole numbers by it.
 */
export const isWhole = z.refine<number>(Number.isSafeInteger, {
  abort: true,
  error: "expected a whole number",
});

/** A whole number between two bounds, both included. */
export function wholeNumber(minimum = 0, maximum = Number.MAX_SAFE_INTEGER): z.ZodMiniNumber<number> {
  return z.number().check(isWhole, z.minimum(minimum), z.maximum(maximum));
}
