import { expect } from "chai";
import fc from "fast-check";
import { network } from "hardhat";
import { hashOrder } from "../../../src/records/hashOrder.ts";
import type { Order } from "../../../src/records/Order.ts";
import { orderIdOf, orderStruct } from "../../helpers/contracts/signedOrder.ts";
import { anyOrder, emptyOrder } from "../../unit/records/support/orders.ts";
import { publishedOrder } from "../../unit/records/support/vectors.ts";

const { ethers } = await network.create();
// Stateless, so one serves every test.
const verifier = await ethers.deployContract("RecordVerifier");

const RANDOM_ORDERS = 96;

/** Returns a contract's id of an order, after comparing the digest with another implementation's. */
async function idOnChain(order: Order): Promise<string> {
  const { orderId, digest } = await verifier.hashOrder(orderStruct(order));
  expect(digest).to.equal(ethers.hashMessage(ethers.getBytes(orderId)));
  return orderId;
}

describe("RecordVerifier, for orders", () => {
  for (const name of ["order-base-arbitrum", "order-base-optimism"] as const) {
    it(`hashes the published ${name} to its published id`, async () => {
      const { order, orderId } = publishedOrder(name);
      expect(await idOnChain(order)).to.equal(orderId);
    });
  }

  it("agrees with the library and with ethers on random orders", async () => {
    let deepest = 0;
    let hashed = 0;
    await fc.assert(
      fc.asyncProperty(anyOrder, async (order) => {
        const onChain = await idOnChain(order);
        expect(onChain).to.equal(hashOrder({ order }));
        expect(onChain).to.equal(orderIdOf(order));
        hashed += 1;
        deepest = Math.max(deepest, ...order.inputs.map(({ refunds }) => refunds.length));
      }),
      { numRuns: RANDOM_ORDERS },
    );
    expect(hashed).to.equal(RANDOM_ORDERS);
    expect(deepest, "lists within lists were met").to.be.above(2);
  });

  it("agrees with the library and with ethers on an order without optional parts, and on a call of extreme length", async () => {
    const { order } = publishedOrder("order-base-optimism");
    const calls = ["0x", `0x${"a5".repeat(40_001)}`, "0x01"] as const;
    for (const each of [emptyOrder, { ...order, output: { ...order.output, calls } }]) {
      const onChain = await idOnChain(each);
      expect(onChain).to.equal(hashOrder({ order: each }));
      expect(onChain).to.equal(orderIdOf(each));
    }
  });

  it("rejects a deadline of more than 32 bits instead of truncating it to a valid one", async () => {
    const fragment = verifier.interface.getFunction("hashOrder");
    const wide = new ethers.Interface([fragment.format("full").replaceAll("uint32", "uint256")]);
    const { order } = publishedOrder("order-base-arbitrum");
    const call = (deadline: bigint | number) => {
      const struct = { ...orderStruct(order), output: { ...orderStruct(order).output, deadline } };
      const encoded = ethers.dataSlice(wide.encodeFunctionData("hashOrder", [struct]), 4);
      return ethers.provider.call({ to: verifier.target, data: fragment.selector + encoded.slice(2) });
    };
    const [orderId] = verifier.interface.decodeFunctionResult("hashOrder", await call(order.output.deadline));
    expect(orderId, "the wide encoding is read like the standard one").to.equal(orderIdOf(order));
    await expect(call(BigInt(order.output.deadline) + 2n ** 32n)).to.be.revertedWithoutReason(ethers);
  });
});
