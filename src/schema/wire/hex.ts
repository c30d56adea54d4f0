import type { Address, Hex } from "viem";
import * as z from "zod/mini";

/** Bytes in hexadecimal with `0x`, any whole number of bytes, `0x` included. */
export const hexSchema = prefixed<Hex>(/^0x(?:[0-9a-fA-F]{2})*$/, "not 0x-prefixed hexadecimal bytes");

/** 32 bytes in hexadecimal: request ids, order ids, transaction hashes of EVM chains. */
export const bytes32Schema = prefixed<Hex>(/^0x[0-9a-fA-F]{64}$/, "not 32 bytes in hexadecimal");

/**
 * An EVM address in any letter case. Ignores the checksum: the service sends lower case.
 *
 * For known EVM chains. Use {@link anyAddressSchema} for fields of any chain.
 */
export const evmAddressSchema = prefixed<Address>(/^0x[0-9a-fA-F]{40}$/, "not a 20-byte EVM address");

/** A signature: 65 bytes, or 64 in the compact form of ERC-2098. */
export const signatureSchema = prefixed<Hex>(/^0x(?:[0-9a-fA-F]{128}|[0-9a-fA-F]{130})$/, "not a signature");

/**
 * An address or currency id of any chain: EVM, SVM, perps exchange or another. Rejects only empty text, white space,
 * and more than 256 characters. Callers with a known chain must validate more.
 */
export const anyAddressSchema = z
  .string()
  .check(z.regex(/^[\x21-\x7e]{1,256}$/, "not 1 to 256 printable characters without white space"));

/** Text that is not empty. */
export const textSchema = z.string().check(z.regex(/./s, "empty"));

function prefixed<Value extends string>(pattern: RegExp, message: string): z.ZodMiniType<Value, Value> {
  return z.string().check(z.regex(pattern, message)) as unknown as z.ZodMiniType<Value, Value>;
}
