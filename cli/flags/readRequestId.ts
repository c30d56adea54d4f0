import { InvalidArgumentError } from "commander";
import type { Hex } from "viem";

/** Parses a request id to lower case. */
export function readRequestId(value: string): Hex {
  if (/^0x[0-9a-fA-F]{64}$/.test(value)) return value.toLowerCase() as Hex;
  throw new InvalidArgumentError("A request id is 0x and 64 hexadecimal digits.");
}
