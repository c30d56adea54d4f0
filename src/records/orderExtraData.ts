import { type Address, getAddress, type Hex, pad, slice } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAddress } from "../internal/readAddress.ts";
import { readHex } from "../internal/readHex.ts";

/** Content of an order's `extraData` on an EVM chain. */
export type OrderExtraData = {
  /** The filling contract: the router. */
  readonly fillContract: Address;
};

export type EncodeOrderExtraDataParameters = OrderExtraData;

export type EncodeOrderExtraDataReturnType = Hex;

export type DecodeOrderExtraDataParameters = {
  /** `extraData` of an order's output, or of one of its refunds. */
  extraData: Hex;
};

export type DecodeOrderExtraDataReturnType = OrderExtraData;

/**
 * Encodes the `extraData` of an order on an EVM chain: `abi.encode((address fillContract))`.
 *
 * @param parameters The filling contract.
 * @returns 32 bytes.
 * @throws {InvalidParameterError} For another value than an address.
 *
 * @example
 * import { encodeOrderExtraData } from "waybill";
 *
 * encodeOrderExtraData({ fillContract: "0xb92fe925DC43a0ECdE6c8b1a2709c170Ec4fFf4f" });
 * // "0x000000000000000000000000b92fe925dc43a0ecde6c8b1a2709c170ec4fff4f"
 */
export function encodeOrderExtraData({
  fillContract,
}: EncodeOrderExtraDataParameters): EncodeOrderExtraDataReturnType {
  return pad(readAddress(fillContract, "fillContract").toLowerCase() as Hex, { size: 32 });
}

/**
 * Decodes the `extraData` of an order on an EVM chain.
 *
 * @param parameters The `extraData`.
 * @returns The filling contract.
 * @throws {InvalidParameterError} Unless it is one address in 32 bytes.
 *
 * @example
 * import { decodeOrderExtraData, type Order } from "waybill";
 *
 * declare const order: Order;
 * const { fillContract } = decodeOrderExtraData({ extraData: order.output.extraData });
 */
export function decodeOrderExtraData({
  extraData,
}: DecodeOrderExtraDataParameters): DecodeOrderExtraDataReturnType {
  const word = readHex(extraData, "extraData", 32);
  if (!/^0x0{24}/.test(word)) {
    throw new InvalidParameterError({ parameter: "extraData", reason: "it is not an EVM address" });
  }
  return { fillContract: getAddress(slice(word, 12)) };
}
