import { expect } from "chai";
import fc from "fast-check";
import { orderIdOf } from "../../../../emulator/quote/orderIdOf.ts";
import { hashOrder } from "../../../../src/records/hashOrder.ts";
import type { Order } from "../../../../src/records/Order.ts";
import { address, bytes, uint256 } from "../../records/support/arbitraries.ts";
import { publishedOrder } from "../../records/support/vectors.ts";

const name = fc.string({ maxLength: 12 });
const deadline = fc.nat(2 ** 32 - 1);
const payment = fc.record({ amount: uint256, chainId: name, currency: bytes(0, 40), weight: uint256 });
const refund = fc.record({
  chainId: name,
  currency: bytes(0, 40),
  deadline,
  extraData: bytes(0, 70),
  minimumAmount: uint256,
  recipient: bytes(0, 40),
});
const outputPayment = fc.record({
  currency: bytes(0, 40),
  expectedAmount: uint256,
  minimumAmount: uint256,
  recipient: bytes(0, 40),
});
const fee = fc.record({
  amount: uint256,
  currency: bytes(0, 40),
  currencyChainId: name,
  recipient: bytes(0, 40),
  recipientChainId: name,
});
const anyOrder: fc.Arbitrary<Order> = fc.record({
  fees: fc.array(fee, { maxLength: 2 }),
  inputs: fc.array(fc.record({ payment, refunds: fc.array(refund, { maxLength: 2 }) }), { maxLength: 2 }),
  output: fc.record({
    calls: fc.array(bytes(0, 200), { maxLength: 2 }),
    chainId: name,
    deadline,
    extraData: bytes(0, 70),
    payments: fc.array(outputPayment, { maxLength: 2 }),
  }),
  salt: uint256,
  solver: address,
  solverChainId: name,
  version: name,
});

describe("orderIdOf", () => {
  it("gives the ids of the published orders", () => {
    for (const name of ["order-base-arbitrum", "order-base-optimism"] as const) {
      const { order, orderId } = publishedOrder(name);
      expect(orderIdOf(order)).to.equal(orderId);
    }
  });

  it("gives the id that the library gives, for any order", () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        expect(orderIdOf(order)).to.equal(hashOrder({ order }));
      }),
      { numRuns: 500 },
    );
  });
});
