import type { Hex } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";

/**
 * Reads bytes in hexadecimal: whole bytes only, where lenient readers would pad half a byte on one side or the other.
 *
 * @param value What the caller gave.
 * @param parameter Name to blame in the error.
 * @param bytes How many there must be; any number when left out.
 * @throws InvalidParameterError when it is anything else.
 *
 * @example
 * readHex("0x00fad611", "data", 4); // "0x00fad611"
 */
export function readHex(value: unknown, parameter: string, bytes?: number): Hex {
  if (typeof value !== "string" || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value)) {
    throw new InvalidParameterError({ parameter, reason: "it is not whole bytes of hex" });
  }
  const found = value.length / 2 - 1;
  if (bytes !== undefined && found !== bytes) {
    throw new InvalidParameterError({ parameter, reason: `it has ${found} bytes instead of ${bytes}` });
  }
  return value as Hex;
}
