import type { Address, Hex } from "viem";
import * as z from "zod/mini";

/**
 * Bytes in hexadecimal with `0x`, any whole number of bytes, `0x` included.
 *
 * @example
 * hexSchema.parse("0x49290c1c"); // "0x49290c1c"
 */
export const hexSchema = prefixed<Hex>(/^0x(?:[0-9a-fA-F]{2})*$/, "not 0x-prefixed hexadecimal bytes");

/**
 * 32 bytes in hexadecimal: request ids, order ids, transaction hashes of EVM chains.
 *
 * @example
 * bytes32Schema.safeParse("0x01").success; // false
 */
export const bytes32Schema = prefixed<Hex>(/^0x[0-9a-fA-F]{64}$/, "not 32 bytes in hexadecimal");

/**
 * An EVM address, in any letter case. The checksum is not looked at: the service itself sends lower case.
 *
 * Use it where a chain is known to be an EVM chain; fields that may belong to any chain take
 * {@link anyAddressSchema}.
 *
 * @example
 * evmAddressSchema.safeParse("So11111111111111111111111111111111111111112").success; // false
 */
export const evmAddressSchema = prefixed<Address>(/^0x[0-9a-fA-F]{40}$/, "not a 20-byte EVM address");

/**
 * A signature as the service returns it: 65 bytes, or 64 in the compact form of ERC-2098.
 *
 * @example
 * signatureSchema.safeParse("0x").success; // false
 */
export const signatureSchema = prefixed<Hex>(/^0x(?:[0-9a-fA-F]{128}|[0-9a-fA-F]{130})$/, "not a signature");

/**
 * An address or currency id of any chain: EVM, SVM, perps exchange or another. Only what no chain allows is
 * refused: empty text, white space, more than 256 characters. A caller with a known chain must check more.
 *
 * @example
 * anyAddressSchema.safeParse("So11111111111111111111111111111111111111112").success; // true
 */
export const anyAddressSchema = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(256),
    z.regex(/^[\x21-\x7e]+$/, "not printable characters without white space"),
  );

function prefixed<Value extends string>(pattern: RegExp, message: string): z.ZodMiniType<Value, Value> {
  return z.string().check(z.regex(pattern, message)) as unknown as z.ZodMiniType<Value, Value>;
}
