import type { Hex } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readHex } from "./readHex.ts";
import { readSvmAddress, writeSvmAddress } from "./readSvmAddress.ts";

/** Supported VM types of addresses: EVM, SVM, and the perps exchange. */
export const orderVmTypes = ["evm", "svm", "hypevm"] as const;

/** One of {@link orderVmTypes}. */
export type OrderVmType = (typeof orderVmTypes)[number];

/** Kind of an address. On the perps exchange, the two kinds have different lengths. */
export type AddressRole = "account" | "currency";

/** Context of an address: its name for errors, its VM type, and its kind. */
export type VmAddressPlace = { parameter: string; role: AddressRole; vmType: OrderVmType };

/** Length of an EVM address or an account of the perps exchange, in bytes. */
const evmBytes = 20;
/** Length of a token id of the perps exchange, in bytes. The name of a third-party market may follow. */
const tokenIdBytes = 16;
/** Maximum length of a currency of the perps exchange, in bytes; longer than any market's name. */
const mostMarketBytes = 100;

/**
 * Parses an address in its chain's format.
 *
 * @returns Its raw bytes, in lower case.
 * @throws InvalidParameterError for another format.
 */
export function readVmAddress(value: unknown, place: VmAddressPlace): Hex {
  if (place.vmType === "svm") return readSvmAddress(value, place.parameter);
  return readHexAddress(value, place);
}

/**
 * Formats an address for its chain.
 *
 * @throws InvalidParameterError for bytes of another length.
 */
export function writeVmAddress(value: unknown, place: VmAddressPlace): string {
  if (place.vmType === "svm") return writeSvmAddress(value, place.parameter);
  return readHexAddress(value, place);
}

function readHexAddress(value: unknown, { parameter, role, vmType }: VmAddressPlace): Hex {
  if (vmType === "evm" || role === "account") {
    return readHex(value, parameter, evmBytes);
  }
  const currency = readHex(value, parameter);
  const bytes = currency.length / 2 - 1;
  if (bytes >= tokenIdBytes && bytes <= tokenIdBytes + mostMarketBytes) return currency;
  const reason = `it has ${bytes} bytes; a currency of the perps exchange has ${tokenIdBytes}, and a market's name behind`;
  throw new InvalidParameterError({ parameter, reason });
}
