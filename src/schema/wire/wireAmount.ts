import * as z from "zod/mini";
import { maxUint256 } from "../../internal/amounts.ts";

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

const message = "not a decimal string of smallest units that fits a uint256";
const fits = (digits: string): boolean => BigInt(digits) <= maxUint256;

/**
 * An amount in smallest units: a decimal string that fits a `uint256`. Stays a string; `BigInt(value)` is exact and
 * never throws after validation.
 */
export const uintStringSchema = z
  .string()
  .check(z.regex(/^[0-9]{1,78}$/, { error: message, abort: true }), z.refine(fits, message));

/** An amount that may be negative: the service pays for transfers that help its liquidity. */
export const intStringSchema = z.string().check(
  z.regex(/^-?[0-9]{1,78}$/, { error: message, abort: true }),
  z.refine((digits) => fits(digits.replace("-", "")), message),
);

/**
 * A quantity of a transaction: a decimal string, a 0x-prefixed hexadecimal string, or a safe integer. The service sends
 * decimal strings; wallets and nodes use the other forms.
 */
export const quantitySchema = z.union([
  uintStringSchema,
  z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/, "not a hexadecimal quantity")),
  wholeNumber(),
]);

/** A chain id. The service assigns ids to chains without one. */
export const chainIdSchema = wholeNumber(1);
