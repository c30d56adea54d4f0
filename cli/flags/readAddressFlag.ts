import { InvalidArgumentError } from "commander";
import type { Address } from "viem";

/** Parses an EVM address. */
export function readAddressFlag(value: string): Address {
  if (/^0x[0-9a-fA-F]{40}$/.test(value)) return value as Address;
  throw new InvalidArgumentError("An address is 0x and 40 hexadecimal digits.");
}
