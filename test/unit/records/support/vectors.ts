import { readFileSync } from "node:fs";
import type { Address, Hex } from "viem";
import { normalizeOrder, type WireOrder } from "../../../../src/records/normalizeOrder.ts";
import type { Order } from "../../../../src/records/Order.ts";
import {
  type RecordFromResponseParameters,
  recordFromResponse,
  type SignatureRecord,
} from "../../../../src/records/SignatureRecord.ts";

type RecordVector = RecordFromResponseParameters & { signature: Hex; signer: Address };

function readVector(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../vectors/${name}.json`, import.meta.url), "utf8"));
}

/** The production record that the service published, with who signed it. */
export const publishedRecord = readVector("attestation-ethereum-zora") as RecordVector;

/** The same as the library's record. */
export const record: SignatureRecord = recordFromResponse(publishedRecord);

type OrderVector = "order-base-arbitrum" | "order-base-optimism" | "order-base-robinhood-signed";

/** A production order that the solver signed. */
export const signedOrder = readVector("order-base-robinhood-signed") as {
  hubType: string;
  orderData: WireOrder;
  orderId: Hex;
  orderSignature: Hex;
  paymentDetails: { amount: string; chainId: string; currency: Address; depository: Address };
};

/** A production order that the service published as it did, and its id. */
export function publishedWireOrder(name: OrderVector): {
  orderData: WireOrder;
  orderId: Hex;
} {
  return readVector(name) as { orderData: WireOrder; orderId: Hex };
}

/** The same as the library's order. */
export function publishedOrder(name: OrderVector): {
  order: Order;
  orderId: Hex;
} {
  const { orderData, orderId } = publishedWireOrder(name);
  return { order: normalizeOrder({ orderData }), orderId };
}
