import type { Hex } from "viem";
import type { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readSvmAddress, writeSvmAddress } from "../internal/readSvmAddress.ts";

/** Parameters of {@link decodeSvmAddress}. */
export type DecodeSvmAddressParameters = {
  /** Base58, in exactly the letter case that it was given in. */
  address: string;
};

/** Return value of {@link decodeSvmAddress}. */
export type DecodeSvmAddressReturnType = Hex;

/** Parameters of {@link encodeSvmAddress}. */
export type EncodeSvmAddressParameters = {
  /** 32 bytes, as records and orders carry an address of an SVM chain. */
  bytes: Hex;
};

/** Return value of {@link encodeSvmAddress}. */
export type EncodeSvmAddressReturnType = string;

/** Parameters of {@link isSvmAddress}. */
export type IsSvmAddressParameters = { address: unknown };

/** Return value of {@link isSvmAddress}. */
export type IsSvmAddressReturnType = boolean;

/** What the functions for addresses of SVM chains throw. */
export type SvmAddressErrorType = InvalidParameterError;

/**
 * Reads an address of an SVM chain, of a wallet or a token: the 32 bytes that records and orders carry. Letter case counts,
 * and an EVM address is none.
 *
 * @param parameters The address.
 * @returns 32 bytes.
 * @throws {InvalidParameterError} When it is not 32 bytes in base58.
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
 * Writes an address of an SVM chain from the 32 bytes that records and orders carry.
 *
 * @param parameters The bytes.
 * @returns Base58.
 * @throws {InvalidParameterError} When they are not 32.
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
 * Looks whether something is an address of an SVM chain. It may still be one without a key.
 *
 * @param parameters What may be an address.
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
