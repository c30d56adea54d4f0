import type { Hex, LocalAccount } from "viem";
import { type HashOrderErrorType, hashOrder } from "./hashOrder.ts";
import type { Order } from "./Order.ts";

/** Parameters of {@link signOrder}. */
export type SignOrderParameters = {
  order: Order;
  /** The solver's account, for example of `privateKeyToAccount`. */
  account: Pick<LocalAccount, "signMessage">;
};

/** Return value of {@link signOrder}. */
export type SignOrderReturnType = Hex;

/** Errors of {@link signOrder}. */
export type SignOrderErrorType = HashOrderErrorType;

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
