import { type Hex, hashStruct, type LocalAccount } from "viem";
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

export type SignOrderParameters = {
  order: Order;
  /** The solver's account, for example of `privateKeyToAccount`. */
  account: Pick<LocalAccount, "signMessage">;
};

export type SignOrderReturnType = Hex;

/**
 * Signs an order as a solver: an EIP-191 message over the 32 raw bytes of the `orderId`.
 *
 * @returns 65 bytes, low `s`: the `protocol.v2.orderSignature` of a quote.
 * @throws {InvalidParameterError} For an invalid member, by path.
 *
 * @example
 * import { mnemonicToAccount } from "viem/accounts";
 * import { type Order, signOrder } from "waybill";
 *
 * declare const order: Order;
 * const account = mnemonicToAccount("test test test test test test test test test test test junk");
 * const signature = await signOrder({ account, order });
 */
export async function signOrder({ order, account }: SignOrderParameters): Promise<SignOrderReturnType> {
  return account.signMessage({ message: { raw: hashOrder({ order }) } });
}
