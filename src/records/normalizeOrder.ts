import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { maxUint256, parseAmount } from "../internal/amounts.ts";
import { readText } from "../internal/readParts.ts";
import { readVmAddress } from "../internal/vmAddress.ts";
import type { Order } from "./Order.ts";
import type { ChainVmTypes } from "./vmTypeOf.ts";
import type { WireOrder } from "./WireOrder.ts";
import { walkOrder } from "./walkOrder.ts";

/** Parameters of {@link normalizeOrder}. */
export type NormalizeOrderParameters = {
  /** `protocol.v2.orderData` of a quote, as it came over the wire. Whatever it is, it is read field by field. */
  orderData: WireOrder;
  /** For chains that are neither EVM chains, `solana` nor `hyperliquid`. */
  vmTypes?: ChainVmTypes | undefined;
};

/** Return value of {@link normalizeOrder}. */
export type NormalizeOrderReturnType = Order;

/** Errors of {@link normalizeOrder}. */
export type NormalizeOrderErrorType = InvalidParameterError;

/**
 * Reads an order from its JSON: amounts become `bigint`, addresses the raw bytes of their chain's virtual machine. Those are
 * 20 on EVM chains and 32 on SVM chains; on the perps exchange 20 for accounts, and 16 or more for currencies.
 *
 * @param parameters The order's JSON, and the virtual machines of unusual chains.
 * @returns The order, with all hexadecimal in lower case. Fields that are not part of an order are left out.
 * @throws {InvalidParameterError} Naming the field that does not fit, such as `orderData.inputs[0].payment.amount`.
 *
 * @example
 * import { hashOrder, normalizeOrder, type WireOrder } from "waybill";
 *
 * declare const orderData: WireOrder;
 * const orderId = hashOrder({ order: normalizeOrder({ orderData }) });
 */
export function normalizeOrder({ orderData, vmTypes }: NormalizeOrderParameters): NormalizeOrderReturnType {
  return walkOrder(orderData, "orderData", {
    address: readVmAddress,
    amount: (value, parameter) => parseAmount(readText(value, parameter), parameter),
    salt: readSalt,
    vmTypes,
  }) as Order;
}

/** Published orders have it in hexadecimal; decimal text and small numbers are other forms of a quantity. */
function readSalt(value: unknown, parameter: string): bigint {
  const isText = typeof value === "string" && /^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/.test(value);
  if (isText || (Number.isSafeInteger(value) && (value as number) >= 0)) {
    const salt = BigInt(value as string | number);
    if (salt <= maxUint256) return salt;
  }
  throw new InvalidParameterError({ parameter, reason: "it is not a quantity that fits a uint256" });
}
