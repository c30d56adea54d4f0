import type { Hex } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readHex } from "./readHex.ts";
import { readSvmAddress, writeSvmAddress } from "./readSvmAddress.ts";

/** The virtual machines whose addresses can be read here: EVM and SVM chains, and the perps exchange. */
export const orderVmTypes = ["evm", "svm", "hypevm"] as const;

/** One of {@link orderVmTypes}. */
export type OrderVmType = (typeof orderVmTypes)[number];

/** What an address stands for: on the perps exchange the two have different lengths. */
export type AddressRole = "account" | "currency";

/** Where an address stands: its name for errors, its chain's virtual machine, and what it stands for. */
export type VmAddressPlace = { parameter: string; role: AddressRole; vmType: OrderVmType };

/** Bytes of an EVM address, which accounts of the perps exchange have too. */
const evmBytes = 20;
/** Bytes of a token id on the perps exchange; a third-party market's name follows it. */
const tokenIdBytes = 16;
/** No name of a market is near to this many bytes. */
const mostMarketBytes = 100;

/**
 * Reads an address as its chain writes it.
 *
 * @param value What came over the wire.
 * @param place Where it stands.
 * @returns Its raw bytes, in lower case.
 * @throws InvalidParameterError when it is not an address of such a chain.
 *
 * @example
 * const place = { parameter: "recipient", role: "account", vmType: "evm" } as const;
 * readVmAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", place);
 */
export function readVmAddress(value: unknown, place: VmAddressPlace): Hex {
  if (place.vmType === "svm") return readSvmAddress(value, place.parameter);
  return readHexAddress(value, place);
}

/**
 * Writes an address as its chain writes it.
 *
 * @throws InvalidParameterError when the bytes are no address of such a chain.
 *
 * @example
 * writeVmAddress(`0x${"00".repeat(32)}`, { parameter: "currency", role: "currency", vmType: "svm" });
 * // "11111111111111111111111111111111"
 */
export function writeVmAddress(value: unknown, place: VmAddressPlace): string {
  if (place.vmType === "svm") return writeSvmAddress(value, place.parameter);
  return readHexAddress(value, place);
}

function readHexAddress(value: unknown, { parameter, role, vmType }: VmAddressPlace): Hex {
  if (vmType === "evm" || role === "account") {
    return readHex(value, parameter, evmBytes).toLowerCase() as Hex;
  }
  const currency = readHex(value, parameter).toLowerCase() as Hex;
  const bytes = currency.length / 2 - 1;
  if (bytes >= tokenIdBytes && bytes <= tokenIdBytes + mostMarketBytes) return currency;
  const reason = `it has ${bytes} bytes; a currency of the perps exchange has ${tokenIdBytes}, and a market's name behind`;
  throw new InvalidParameterError({ parameter, reason });
}
