import { type Address, type Hex, hashMessage } from "viem";
import { readHex } from "../internal/readHex.ts";
import { recoverSigner } from "./recoverSigner.ts";

export type RecoverOrderSignerParameters = {
  /** Result of `hashOrder`. Hash the order yourself: a received id may belong to another order. */
  orderId: Hex;
  /** `protocol.v2.orderSignature`: 65 bytes, or the 64 bytes of ERC-2098. */
  signature: Hex;
};

export type RecoverOrderSignerReturnType = Address;

/**
 * Recovers the signer of an order by the contracts' rules: an EIP-191 message over the 32 raw bytes of the `orderId`.
 *
 * @param parameters The order's id and the signature.
 * @returns The signer's address.
 * @throws {InvalidParameterError} Unless the id is 32 bytes.
 * @throws {SignatureInvalidError} For a signature that the contracts reject from any signer.
 *
 * @example
 * import { hashOrder, type Order, recoverOrderSigner } from "waybill";
 *
 * declare const order: Order;
 * declare const signature: `0x${string}`;
 * const solver = await recoverOrderSigner({ orderId: hashOrder({ order }), signature });
 */
export async function recoverOrderSigner({
  orderId,
  signature,
}: RecoverOrderSignerParameters): Promise<RecoverOrderSignerReturnType> {
  return recoverSigner({ digest: hashMessage({ raw: readHex(orderId, "orderId", 32) }), signature });
}
