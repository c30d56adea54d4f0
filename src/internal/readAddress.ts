import { type Address, getAddress, isAddress, zeroAddress } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { assertValid } from "./readParts.ts";
import { show } from "./show.ts";

/**
 * Parses an EVM address in any letter case. Requires no checksum: the service sends lower case. Corrects a wrong
 * checksum (EIP-55), which encoders reject; returns other addresses unchanged.
 *
 * @throws InvalidParameterError unless it is 20 bytes of hex.
 */
export function readAddress(value: unknown, parameter: string): Address {
  if (typeof value !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(value)) {
    throw new InvalidParameterError({ parameter, reason: `"${show(value)}" is not an address` });
  }
  return isAddress(value) ? value : getAddress(value.toLowerCase());
}

/**
 * Parses an EVM address other than the zero address.
 *
 * @throws InvalidParameterError for the zero address, or another value.
 */
export function readAccount(value: unknown, parameter: string): Address {
  const address = readAddress(value, parameter);
  assertValid(address !== zeroAddress, parameter, "it is the zero address");
  return address;
}
