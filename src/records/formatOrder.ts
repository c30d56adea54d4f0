import { numberToHex } from "viem";
import { readUint256, wireOrderHint } from "../internal/readUint256.ts";
import { writeVmAddress } from "../internal/vmAddress.ts";
import type { Order } from "./Order.ts";
import type { ChainVmTypes } from "./vmTypeOf.ts";
import type { WireOrder } from "./WireOrder.ts";
import { walkOrder } from "./walkOrder.ts";

export type FormatOrderParameters = {
  order: Order;
  /** VM types of chains other than EVM chains, `solana` and `hyperliquid`. */
  vmTypes?: ChainVmTypes | undefined;
};

export type FormatOrderReturnType = WireOrder;

/**
 * Converts an order to JSON, the reverse of `normalizeOrder`: amounts to decimal strings, the salt to 32 bytes in
 * hexadecimal, addresses to their chain's format.
 *
 * @param parameters The order, and VM types of unlisted chains.
 * @returns The `orderData` of a quote.
 * @throws {InvalidParameterError} For an invalid member, by path, such as `order.output.payments[0].recipient`.
 *
 * @example
 * import { formatOrder, type Order } from "waybill";
 *
 * declare const order: Order;
 * const body = JSON.stringify(formatOrder({ order }));
 */
export function formatOrder({ order, vmTypes }: FormatOrderParameters): FormatOrderReturnType {
  return walkOrder(order, "order", {
    address: writeVmAddress,
    amount: (value, parameter) => readUint256(value, parameter, wireOrderHint).toString(),
    salt: (value, parameter) => numberToHex(readUint256(value, parameter, wireOrderHint), { size: 32 }),
    vmTypes,
  }) as WireOrder;
}
