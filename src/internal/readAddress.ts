import { type Address, getAddress, isAddress, zeroAddress } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { show } from "./show.ts";

/**
 * Reads an EVM address in any letter case. The service itself sends lower case, and people copy what they see, so a
 * checksum is not asked for. One that is wrong is replaced (EIP-55), since encoders refuse it; others stay as they came.
 *
 * @param value What the caller gave.
 * @param parameter Name to blame in the error.
 * @throws InvalidParameterError when it is not 20 bytes of hex.
 *
 * @example
 * readAddress("0xF39FD6E51AAD88F6F4CE6AB8827279CFFFB92266", "recipient");
 * // "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
 */
export function readAddress(value: unknown, parameter: string): Address {
  if (typeof value !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(value)) {
    throw new InvalidParameterError({ parameter, reason: `"${show(value)}" is not an address` });
  }
  return isAddress(value) ? value : getAddress(value.toLowerCase());
}

/**
 * The same for an address that must be able to take money or calls: not the zero address.
 *
 * @throws InvalidParameterError when it is zero or not an address.
 *
 * @example
 * readAccount("0x0000000000000000000000000000000000000000", "recipient"); // throws
 */
export function readAccount(value: unknown, parameter: string): Address {
  const address = readAddress(value, parameter);
  if (address === zeroAddress)
    throw new InvalidParameterError({ parameter, reason: "it is the zero address" });
  return address;
}
