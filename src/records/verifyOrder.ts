import { type Address, getAddress, type Hex, hashMessage } from "viem";
import { readAddress } from "../internal/readAddress.ts";
import { readHex } from "../internal/readHex.ts";
import { hashOrder } from "./hashOrder.ts";
import type { Order } from "./Order.ts";
import { recoverOrderSigner, recoverSigner } from "./recoverSigner.ts";

/** Known signing mistakes under which the signature is the solver's. */
export type OrderMistake = "id-signed-as-text" | "message-prefix-missing";

export type VerifyOrderParameters = {
  order: Order;
  /** `protocol.v2.orderSignature`: 65 bytes, or the 64 bytes of ERC-2098. */
  signature: Hex;
  /** Expected solver. Never take it from the order: an attacker can put an own key there. */
  solver: Address;
  /** The received id: `protocol.v2.orderId`, or the id in a deposit's calldata. */
  orderId?: Hex | undefined;
};

export type VerifyOrderReturnType =
  | { readonly valid: true; readonly orderId: Hex; readonly signer: Address }
  | {
      readonly valid: false;
      /**
       * `order-id`: the order hashes to another id. `order-solver`: the order names another solver. `signer`: the
       * solver did not sign this order.
       */
      readonly reason: "order-id" | "order-solver" | "signer";
      /** Id computed from the order. */
      readonly orderId: Hex;
      /** Recovered address; meaningless unless the key is known. */
      readonly signer: Address;
      /** Set if the solver signed this order with a known mistake. */
      readonly mistake?: OrderMistake;
    };

/**
 * Verifies that the solver signed exactly this order, is the order's solver, and that the id is this order's.
 *
 * @returns Valid, or the first fault.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 * @throws {SignatureInvalidError} For a signature that the contracts reject from any signer.
 *
 * @example
 * import { type Order, verifyOrder } from "waybill";
 *
 * declare const order: Order;
 * declare const orderId: `0x${string}`;
 * declare const signature: `0x${string}`;
 * const verdict = await verifyOrder({
 *   order,
 *   orderId,
 *   signature,
 *   solver: "0xf70da97812CB96acDF810712Aa562db8dfA3dbEF",
 * });
 * if (!verdict.valid) throw new Error(verdict.mistake ?? verdict.reason);
 */
export async function verifyOrder(parameters: VerifyOrderParameters): Promise<VerifyOrderReturnType> {
  const { order, signature } = parameters;
  const solver = getAddress(readAddress(parameters.solver, "solver"));
  const expectedId =
    parameters.orderId === undefined ? undefined : readHex(parameters.orderId, "orderId", 32);
  const orderId = hashOrder({ order });
  const signer = await recoverOrderSigner({ orderId, signature });
  const invalid = { orderId, signer, valid: false } as const;
  if (expectedId !== undefined && expectedId !== orderId) return { ...invalid, reason: "order-id" };
  if (order.solver.toLowerCase() !== solver.toLowerCase()) return { ...invalid, reason: "order-solver" };
  if (signer === solver) return { orderId, signer, valid: true };

  for (const [mistake, digest] of [
    ["id-signed-as-text", hashMessage(orderId)],
    ["message-prefix-missing", orderId],
  ] as const) {
    const wrongSigner = await recoverSigner({ digest, signature }).catch(() => undefined);
    if (wrongSigner === solver) return { ...invalid, mistake, reason: "signer" };
  }
  return { ...invalid, reason: "signer" };
}
