import { type Hex, size } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { decodeBase58, encodeBase58 } from "./base58.ts";
import { readHex } from "./readHex.ts";

const addressBytes = 32;
/** 32 bytes have between 32 digits (all zero) and 44. The bound also keeps the decoding short: it is quadratic. */
const digits = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * Reads an address of an SVM chain: 32 bytes in base58. Every letter's case counts, so nothing is corrected.
 *
 * @param value What the caller gave.
 * @param parameter Name to blame in the error.
 * @returns The 32 bytes.
 * @throws InvalidParameterError when it is anything else, an EVM address for one.
 *
 * @example
 * readSvmAddress("11111111111111111111111111111111", "currency"); // `0x${"00".repeat(32)}`
 */
export function readSvmAddress(value: unknown, parameter: string): Hex {
  if (typeof value === "string" && /^0x/i.test(value)) {
    const reason = "it is an address of an EVM chain; those of SVM chains are 32 bytes in base58";
    throw new InvalidParameterError({ parameter, reason });
  }
  const bytes = typeof value === "string" && digits.test(value) ? decodeBase58(value) : "0x";
  if (size(bytes) !== addressBytes) {
    throw new InvalidParameterError({ parameter, reason: "it is not 32 bytes in base58" });
  }
  return bytes;
}

/**
 * Writes an address of an SVM chain.
 *
 * @param value 32 bytes.
 * @param parameter Name to blame in the error.
 * @throws InvalidParameterError when it is not 32 bytes of hex.
 *
 * @example
 * writeSvmAddress(`0x${"00".repeat(32)}`, "currency"); // "11111111111111111111111111111111"
 */
export function writeSvmAddress(value: unknown, parameter: string): string {
  return encodeBase58(readHex(value, parameter, addressBytes));
}
