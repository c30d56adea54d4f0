import * as z from "zod/mini";
import { maxUint256 } from "../../internal/amounts.ts";

const message = "not a decimal string of smallest units that fits a uint256";
const fits = (digits: string): boolean => BigInt(digits) <= maxUint256;

/**
 * An amount in smallest units as the wire carries it: a decimal string that fits a `uint256`. It stays a
 * string; `BigInt(value)` is exact and cannot fail on what this schema passed.
 *
 * @example
 * BigInt(uintStringSchema.parse("700000000000000000")); // 700000000000000000n
 */
export const uintStringSchema = z
  .string()
  .check(z.regex(/^[0-9]{1,78}$/, { error: message, abort: true }), z.refine(fits, message));

/**
 * An amount that may be negative: fees can be, when the service pays for a move that helps its liquidity.
 *
 * @example
 * BigInt(intStringSchema.parse("-25")); // -25n
 */
export const intStringSchema = z.string().check(
  z.regex(/^-?[0-9]{1,78}$/, { error: message, abort: true }),
  z.refine((digits) => fits(digits.replace("-", "")), message),
);

/**
 * A quantity of a transaction: a decimal string, a 0x-prefixed hexadecimal string, or a whole number that
 * floating point holds exactly. The service sends decimal strings; the other two forms are what wallets and
 * nodes use.
 *
 * @example
 * BigInt(quantitySchema.parse("0x2a")); // 42n
 */
export const quantitySchema = z.union([
  uintStringSchema,
  z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/, "not a hexadecimal quantity")),
  z.int().check(z.nonnegative(), z.maximum(Number.MAX_SAFE_INTEGER)),
]);

/**
 * A chain id. Chains that have none of their own get one from the service.
 *
 * @example
 * chainIdSchema.parse(8453); // 8453
 */
export const chainIdSchema = z.int().check(z.positive(), z.maximum(Number.MAX_SAFE_INTEGER));
