import { readFileSync } from "node:fs";
import type { Address, Hex } from "viem";
import type { Order } from "../../../../src/records/Order.ts";
import {
  type RecordFromResponseParameters,
  recordFromResponse,
} from "../../../../src/records/recordFromResponse.ts";
import type { SignatureRecord } from "../../../../src/records/SignatureRecord.ts";
import { type OrderData, orderDataSchema } from "../../../../src/schema/order.ts";

type RecordVector = RecordFromResponseParameters & { signature: Hex; signer: Address };

function readVector(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../vectors/${name}.json`, import.meta.url), "utf8"));
}

/** The production record that the service published, with who signed it. */
export const publishedRecord = readVector("attestation-ethereum-zora") as RecordVector;

/** The same as the library's record. */
export const record: SignatureRecord = recordFromResponse(publishedRecord);

/** A production order that the service published, and its id. */
export function publishedOrder(name: "order-base-arbitrum" | "order-base-optimism"): {
  order: Order;
  orderId: Hex;
} {
  const { orderData, orderId } = readVector(name) as { orderData: unknown; orderId: Hex };
  return { order: toOrder(orderDataSchema.parse(orderData)), orderId };
}

/** An order between EVM chains from its wire form: the same members in exact types. */
export function toOrder(wire: OrderData): Order {
  const hex = (value: string) => value as Hex;
  return {
    fees: wire.fees.map((fee) => ({
      ...fee,
      amount: BigInt(fee.amount),
      currency: hex(fee.currency),
      recipient: hex(fee.recipient),
    })),
    inputs: wire.inputs.map(({ payment, refunds }) => ({
      payment: {
        ...payment,
        amount: BigInt(payment.amount),
        currency: hex(payment.currency),
        weight: BigInt(payment.weight),
      },
      refunds: refunds.map((refund) => ({
        ...refund,
        currency: hex(refund.currency),
        minimumAmount: BigInt(refund.minimumAmount),
        recipient: hex(refund.recipient),
      })),
    })),
    output: {
      ...wire.output,
      payments: wire.output.payments.map((payment) => ({
        currency: hex(payment.currency),
        expectedAmount: BigInt(payment.expectedAmount),
        minimumAmount: BigInt(payment.minimumAmount),
        recipient: hex(payment.recipient),
      })),
    },
    salt: BigInt(wire.salt),
    solver: hex(wire.solver),
    solverChainId: wire.solverChainId,
    version: wire.version,
  };
}
