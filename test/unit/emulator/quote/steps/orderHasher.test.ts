import { expect } from "chai";
import fc from "fast-check";
import { keccak256 } from "viem";
import { orderHasher } from "../../../../../emulator/quote/steps/orderHasher.ts";
import { hashOrder } from "../../../../../src/records/hashOrder.ts";
import type { Order } from "../../../../../src/records/Order.ts";
import { anyOrder } from "../../../records/support/orders.ts";
import { publishedOrder } from "../../../records/support/vectors.ts";

const hash = orderHasher((digits) => keccak256(`0x${digits}`).slice(2));

describe("orderHasher", () => {
  it("any order, gives the id of hashOrder", () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        expect(hash(order)).to.equal(hashOrder({ order }));
      }),
      { numRuns: 100 },
    );
  }).timeout(20_000);

  it("a text and bytes that are written the same, one after the other, gives each its own id", () => {
    const { order } = publishedOrder("order-base-arbitrum");
    const asText: Order = { ...order, solverChainId: "0xabcd" };
    const asBytes: Order = { ...order, output: { ...order.output, extraData: "0xabcd" } };
    for (const each of [asText, asBytes, { ...asText, ...asBytes }, asText]) {
      expect(hash(each)).to.equal(hashOrder({ order: each }));
    }
  });
});
