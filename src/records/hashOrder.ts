import { type Hex, hashStruct } from "viem";
import { readAddress } from "../internal/readAddress.ts";
import { readHex } from "../internal/readHex.ts";
import { readText, readUint32 } from "../internal/readParts.ts";
import { readUint256, wireOrderHint } from "../internal/readUint256.ts";
import { foldOrder, orderMembers } from "./foldOrder.ts";
import type { Order } from "./Order.ts";

export type HashOrderParameters = { order: Order };

export type HashOrderReturnType = Hex;

/**
 * Computes the `orderId`: the EIP-712 `hashStruct` of an order, without a domain.
 *
 * @param parameters The order.
 * @returns 32 bytes: `id` of the deposit contract.
 * @throws {InvalidParameterError} For an invalid member, by path.
 *
 * @example
 * import { hashOrder, type Order } from "waybill";
 *
 * declare const order: Order;
 * const orderId = hashOrder({ order });
 */
export function hashOrder({ order }: HashOrderParameters): HashOrderReturnType {
  const read = foldOrder<unknown>(order, "order", {
    leaf: (type, value, { parameter }) => readLeaf(type, value, parameter),
    list: (items) => items,
    struct: (_type, members) => Object.fromEntries(members),
  });
  return hashReadOrder(read as Order);
}

/** Hashes an order whose members were read. */
export function hashReadOrder(data: Order): Hex {
  return hashStruct({ data, primaryType: "Order", types: orderMembers });
}

/** Encoders accept more than the types hold, such as numbers for text. */
function readLeaf(type: string, value: unknown, parameter: string): unknown {
  switch (type) {
    case "string":
      return readText(value, parameter);
    case "bytes":
      return readHex(value, parameter);
    case "address":
      return readAddress(value, parameter);
    case "uint32":
      return readUint32(value, parameter);
    default:
      return readUint256(value, parameter, wireOrderHint);
  }
}
