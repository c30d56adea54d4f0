import { type Hex, hashStruct } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAddress } from "../internal/readAddress.ts";
import { readHex } from "../internal/readHex.ts";
import type { Order } from "./Order.ts";

/** EIP-712 types of an order. In `Output` the deadline stands before the calls, unlike in the JSON. */
const orderTypes = {
  Order: [
    { name: "version", type: "string" },
    { name: "solverChainId", type: "string" },
    { name: "solver", type: "address" },
    { name: "salt", type: "uint256" },
    { name: "inputs", type: "Input[]" },
    { name: "output", type: "Output" },
    { name: "fees", type: "Fee[]" },
  ],
  Input: [
    { name: "payment", type: "InputPayment" },
    { name: "refunds", type: "InputRefund[]" },
  ],
  InputPayment: [
    { name: "chainId", type: "string" },
    { name: "currency", type: "bytes" },
    { name: "amount", type: "uint256" },
    { name: "weight", type: "uint256" },
  ],
  InputRefund: [
    { name: "chainId", type: "string" },
    { name: "recipient", type: "bytes" },
    { name: "currency", type: "bytes" },
    { name: "minimumAmount", type: "uint256" },
    { name: "deadline", type: "uint32" },
    { name: "extraData", type: "bytes" },
  ],
  Output: [
    { name: "chainId", type: "string" },
    { name: "payments", type: "OutputPayment[]" },
    { name: "deadline", type: "uint32" },
    { name: "calls", type: "bytes[]" },
    { name: "extraData", type: "bytes" },
  ],
  OutputPayment: [
    { name: "recipient", type: "bytes" },
    { name: "currency", type: "bytes" },
    { name: "minimumAmount", type: "uint256" },
    { name: "expectedAmount", type: "uint256" },
  ],
  Fee: [
    { name: "recipientChainId", type: "string" },
    { name: "recipient", type: "bytes" },
    { name: "currencyChainId", type: "string" },
    { name: "currency", type: "bytes" },
    { name: "amount", type: "uint256" },
  ],
} as const;

export type HashOrderParameters = { order: Order };
export type HashOrderReturnType = Hex;
export type HashOrderErrorType = InvalidParameterError;

/**
 * The `orderId`: the EIP-712 `hashStruct` of an order, without a domain.
 *
 * @param parameters The order.
 * @returns 32 bytes; what the deposit contract takes as `id`.
 * @throws {InvalidParameterError} When a member does not fit its type.
 *
 * @example
 * import { hashOrder, type Order } from "waybill";
 *
 * declare const order: Order;
 * const orderId = hashOrder({ order });
 */
export function hashOrder({ order }: HashOrderParameters): HashOrderReturnType {
  try {
    // The encoder pads and guesses where bytes are not whole bytes of hex, and an order would get a wrong id.
    for (const [path, value] of byteMembers(order)) readHex(value, `order.${path}`);
    const solver = readAddress(order.solver, "order.solver");
    return hashStruct({ data: { ...order, solver }, primaryType: "Order", types: orderTypes });
  } catch (cause) {
    if (cause instanceof InvalidParameterError) throw cause;
    throw new InvalidParameterError({
      cause,
      parameter: "order",
      reason: "a member does not fit its EIP-712 type",
    });
  }
}

/** Every member of type `bytes`, with its place in the order. */
function* byteMembers({
  inputs,
  output,
  fees,
}: Pick<Order, "inputs" | "output" | "fees">): Generator<[string, Hex]> {
  for (const [i, { payment, refunds }] of inputs.entries()) {
    yield [`inputs[${i}].payment.currency`, payment.currency];
    for (const [j, { currency, extraData, recipient }] of refunds.entries()) {
      const path = `inputs[${i}].refunds[${j}]`;
      yield* members(path, { currency, extraData, recipient });
    }
  }
  for (const [i, { currency, recipient }] of output.payments.entries()) {
    yield* members(`output.payments[${i}]`, { currency, recipient });
  }
  for (const [i, call] of output.calls.entries()) yield [`output.calls[${i}]`, call];
  yield ["output.extraData", output.extraData];
  for (const [i, { currency, recipient }] of fees.entries())
    yield* members(`fees[${i}]`, { currency, recipient });
}

function* members(path: string, values: Readonly<Record<string, Hex>>): Generator<[string, Hex]> {
  for (const [name, value] of Object.entries(values)) yield [`${path}.${name}`, value];
}
