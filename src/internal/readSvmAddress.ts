import { type Hex, size } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { decodeBase58, encodeBase58 } from "./base58.ts";
import { readHex } from "./readHex.ts";

const addressBytes = 32;
/** 32 bytes have 32 (all zero) to 44 digits. The maximum also bounds the quadratic decoding. */
const digits = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * Parses an SVM address: 32 bytes in case-sensitive base58.
 *
 * @returns The 32 bytes.
 * @throws InvalidParameterError for another value, such as an EVM address.
 */
export function readSvmAddress(value: unknown, parameter: string): Hex {
  if (typeof value === "string" && /^0x/i.test(value)) {
    const reason = "it is an address of an EVM chain; those of SVM chains are 32 bytes in base58";
    throw new InvalidParameterError({ parameter, reason });
  }
  const bytes = typeof value === "string" && digits.test(value) ? decodeBase58(value) : "0x";
  if (size(bytes) !== addressBytes) {
    throw new InvalidParameterError({ parameter, reason: "not 32 bytes in base58" });
  }
  return bytes;
}

/**
 * Formats an SVM address.
 *
 * @param value 32 bytes.
 * @throws InvalidParameterError unless it is 32 bytes of hex.
 */
export function writeSvmAddress(value: unknown, parameter: string): string {
  return encodeBase58(readHex(value, parameter, addressBytes));
}
