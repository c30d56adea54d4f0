import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { maxUint256, parseAmount } from "../internal/amounts.ts";
import { readObject, readText } from "../internal/readParts.ts";
import { readVmAddress } from "../internal/vmAddress.ts";
import type { Order } from "./Order.ts";
import type { ChainVmTypes } from "./vmTypeOf.ts";
import type { WireOrder } from "./WireOrder.ts";
import { walkOrder } from "./walkOrder.ts";

export type NormalizeOrderParameters = {
  /** `protocol.v2.orderData` of a quote, untrusted. */
  orderData: WireOrder;
  /** VM types of chains other than EVM chains, `solana` and `hyperliquid`. */
  vmTypes?: ChainVmTypes | undefined;
};

export type NormalizeOrderReturnType = Order;

/**
 * Parses an order from JSON: amounts to `bigint`, addresses to raw bytes. Addresses have 20 bytes on EVM chains and 32
 * on SVM chains. On the perps exchange, accounts have 20, and currencies 16 or more.
 *
 * @param parameters The order's JSON, and VM types of unlisted chains.
 * @returns The order, with hexadecimal in lower case and without unknown fields.
 * @throws {InvalidParameterError} For an invalid field, by path, such as `orderData.inputs[0].payment.amount`.
 *
 * @example
 * import { hashOrder, normalizeOrder, type WireOrder } from "waybill";
 *
 * declare const orderData: WireOrder;
 * const orderId = hashOrder({ order: normalizeOrder({ orderData }) });
 */
export function normalizeOrder({ orderData, vmTypes }: NormalizeOrderParameters): NormalizeOrderReturnType {
  if (vmTypes !== undefined) readObject(vmTypes, "vmTypes");
  return walkOrder(orderData, "orderData", {
    address: readVmAddress,
    amount: (value, parameter) => parseAmount(readText(value, parameter), parameter),
    salt: readSalt,
    vmTypes,
  }) as Order;
}

/** Published orders use hexadecimal; decimal text and small numbers are accepted too. */
function readSalt(value: unknown, parameter: string): bigint {
  const isText = typeof value === "string" && /^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/.test(value);
  if (isText || (Number.isSafeInteger(value) && (value as number) >= 0)) {
    const salt = BigInt(value as string | number);
    if (salt <= maxUint256) return salt;
  }
  throw new InvalidParameterError({ parameter, reason: "it is not a quantity that fits a uint256" });
}
