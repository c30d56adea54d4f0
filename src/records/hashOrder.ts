import { type Hex, keccak256 } from "viem";
import type { Order } from "./Order.ts";
import { orderHasher } from "./orderHasher.ts";

const hash = /* @__PURE__ */ orderHasher((digits) => keccak256(`0x${digits}`).slice(2));

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
  return hash(order);
}
