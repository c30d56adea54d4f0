import type { Hex } from "viem";
import { readSvmAddress, writeSvmAddress } from "../internal/readSvmAddress.ts";

export type DecodeSvmAddressParameters = {
  /** Base58, in unchanged letter case. */
  address: string;
};

export type DecodeSvmAddressReturnType = Hex;

export type EncodeSvmAddressParameters = {
  /** 32 bytes, the form of an SVM address in records and orders. */
  bytes: Hex;
};

export type EncodeSvmAddressReturnType = string;

export type IsSvmAddressParameters = { address: unknown };

export type IsSvmAddressReturnType = boolean;

/**
 * Decodes an SVM address of a wallet or token to 32 bytes, as in records and orders. Letter case matters. Rejects EVM
 * addresses.
 *
 * @returns 32 bytes.
 * @throws {InvalidParameterError} Unless it is 32 bytes in base58.
 *
 * @example
 * import { decodeSvmAddress } from "waybill/svm";
 *
 * decodeSvmAddress({ address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" });
 * // "0xc6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2f6e0e47ca60203452f5d61"
 */
export function decodeSvmAddress({ address }: DecodeSvmAddressParameters): DecodeSvmAddressReturnType {
  return readSvmAddress(address, "address");
}

/**
 * Encodes an SVM address from the 32 bytes in records and orders.
 *
 * @returns Base58.
 * @throws {InvalidParameterError} For another length than 32 bytes.
 *
 * @example
 * import { encodeSvmAddress } from "waybill/svm";
 *
 * encodeSvmAddress({ bytes: `0x${"00".repeat(32)}` }); // "11111111111111111111111111111111"
 */
export function encodeSvmAddress({ bytes }: EncodeSvmAddressParameters): EncodeSvmAddressReturnType {
  return writeSvmAddress(bytes, "bytes");
}

/**
 * Returns whether a value is an SVM address. The address need not have a key.
 *
 * @returns Whether it is.
 *
 * @example
 * import { isSvmAddress } from "waybill/svm";
 *
 * isSvmAddress({ address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266" }); // false
 */
export function isSvmAddress({ address }: IsSvmAddressParameters): IsSvmAddressReturnType {
  try {
    readSvmAddress(address, "address");
    return true;
  } catch {
    return false;
  }
}
