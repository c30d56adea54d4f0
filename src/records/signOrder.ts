import type { Hex, LocalAccount } from "viem";
import { hashOrder } from "./hashOrder.ts";
import type { Order } from "./Order.ts";

export type SignOrderParameters = {
  order: Order;
  /** The solver's account, for example of `privateKeyToAccount`. */
  account: Pick<LocalAccount, "signMessage">;
};

export type SignOrderReturnType = Hex;

/**
 * Signs an order as a solver: an EIP-191 message over the 32 raw bytes of the `orderId`.
 *
 * @param parameters The order and the solver's account.
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
