import {
  type Address,
  decodeAbiParameters,
  encodeAbiParameters,
  getAddress,
  type Hex,
  pad,
  parseAbiParameters,
  slice,
} from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAddress } from "../internal/readAddress.ts";
import { readHex } from "../internal/readHex.ts";
import { readObject } from "../internal/readParts.ts";
import { readUint256 } from "../internal/readUint256.ts";

/** ABI type of a call in an order: three nested tuples of one member. */
const callParameters = /* @__PURE__ */ parseAbiParameters([
  "(address to)",
  "(bytes data)",
  "(uint256 value)",
]);

/** A call of an order's output on an EVM chain. */
export type OrderCall = {
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
};

export type EncodeOrderCallParameters = { call: OrderCall };

export type EncodeOrderCallReturnType = Hex;

export type DecodeOrderCallParameters = {
  /** One of `output.calls`. */
  call: Hex;
};

export type DecodeOrderCallReturnType = OrderCall;

/**
 * Encodes a call for an order's `output.calls`. EVM chains only: the protocol has no calls on other chains.
 *
 * @returns One item of `output.calls`.
 * @throws {InvalidParameterError} For an invalid member, by name.
 *
 * @example
 * import { encodeOrderCall } from "waybill";
 *
 * const to = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
 * encodeOrderCall({ call: { data: "0x", to, value: 1n } }).length; // 322: "0x" and five words
 */
export function encodeOrderCall({ call }: EncodeOrderCallParameters): EncodeOrderCallReturnType {
  readObject(call, "call");
  const to = readAddress(call.to, "call.to");
  const data = readHex(call.data, "call.data");
  return encodeAbiParameters(callParameters, [
    { to },
    { data },
    { value: readUint256(call.value, "call.value") },
  ]);
}

/**
 * Decodes a call of an order on an EVM chain. Rejects every encoding other than that of `encodeOrderCall`: two decoders
 * could read it as different calls.
 *
 * @returns The call.
 * @throws {InvalidParameterError} For any other encoding.
 *
 * @example
 * import { decodeOrderCall, type Order } from "waybill";
 *
 * declare const order: Order;
 * for (const call of order.output.calls) console.log(decodeOrderCall({ call }).to);
 */
export function decodeOrderCall({ call }: DecodeOrderCallParameters): DecodeOrderCallReturnType {
  const encoded = readHex(call, "call");
  let decoded: OrderCall;
  try {
    const [{ to }, { data }, { value }] = decodeAbiParameters(callParameters, encoded);
    decoded = { data, to, value };
  } catch (cause) {
    throw new InvalidParameterError({ cause, parameter: "call", reason: "not an order's call" });
  }
  if (encodeOrderCall({ call: decoded }) === encoded) return decoded;
  throw new InvalidParameterError({ parameter: "call", reason: "its encoding is not the standard one" });
}

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
  return pad(readAddress(fillContract, "fillContract").toLowerCase() as Hex);
}

/**
 * Decodes the `extraData` of an order on an EVM chain.
 *
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
