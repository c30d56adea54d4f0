import type { Hex } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";

/**
 * Parses bytes in hexadecimal, in lower case. Rejects half bytes, which lenient parsers pad on either side.
 *
 * @param bytes Required length. Default: any.
 * @throws InvalidParameterError for another value.
 */
export function readHex(value: unknown, parameter: string, bytes?: number): Hex {
  if (typeof value !== "string" || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value)) {
    throw new InvalidParameterError({ parameter, reason: "not whole bytes of hex" });
  }
  const found = value.length / 2 - 1;
  if (bytes !== undefined && found !== bytes) {
    throw new InvalidParameterError({ parameter, reason: `it has ${found} bytes instead of ${bytes}` });
  }
  return value.toLowerCase() as Hex;
}
