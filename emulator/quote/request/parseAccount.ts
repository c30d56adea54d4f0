import type { Address } from "viem";
import { evmAddressSchema } from "../../../src/schema/wire/hex.ts";
import { decodeSvmAddress, isSvmAddress } from "../../../src/svm/address.ts";
import { svmParts } from "../../chains/svm/svmParts.ts";
import { isSvmChain, type Place } from "../../context/places.ts";
import { QuoteError } from "../../errors/refusals.ts";

/**
 * Parses an account in the format of its chain: lower-case hexadecimal, of 32 bytes for the SVM chain. The letter case
 * of SVM addresses matters. The token accounts of a pool are its vaults, so it can be paid nothing.
 */
export function parseAccount(
  place: Place,
  value: string,
  errorCode: "INVALID_ADDRESS" | "INVALID_RECIPIENT",
  field: string,
): Address {
  if (!isSvmChain(place)) return parseAddress(value, errorCode, field);
  if (!isSvmAddress({ address: value })) {
    throw new QuoteError(errorCode, `\`${field}\` is not an SVM address`);
  }
  if (svmParts(place).pools.some(({ address, vaults }) => address === value || vaults.includes(value))) {
    throw new QuoteError(errorCode, `\`${field}\` is a pool: a payment there would be lost`);
  }
  return decodeSvmAddress({ address: value });
}

/** Parses an EVM address and lowers its case. */
export function parseAddress(
  value: string,
  errorCode: "INVALID_ADDRESS" | "INVALID_RECIPIENT",
  field: string,
): Address {
  const parsed = evmAddressSchema.safeParse(value);
  if (!parsed.success) throw new QuoteError(errorCode, `\`${field}\` is not an EVM address`);
  return parsed.data.toLowerCase() as Address;
}
