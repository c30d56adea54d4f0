import { expect } from "chai";
import { getBytes, hashMessage as hashMessageByEthers } from "ethers";
import fc from "fast-check";
import { type Hex, hashMessage } from "viem";
import { hashOrder } from "../../../src/records/hashOrder.ts";
import { formatOrder } from "../../../src/records/normalizeOrder.ts";
import type { Order } from "../../../src/records/Order.ts";
import { orderIdOf } from "../../helpers/contracts/signedOrder.ts";
import { anyOrder } from "./support/orders.ts";
import { expectInvalid } from "./support/typedFailure.ts";
import { publishedOrder, publishedWireOrder } from "./support/vectors.ts";

/** Every order that differs from `value` in one member: texts grow, numbers grow, bytes grow, lists grow by a copy. */
function variants(value: unknown): unknown[] {
  if (typeof value === "bigint") return [value + 1n];
  if (typeof value === "number") return [value + 1];
  if (typeof value === "string")
    return [/^0x[0-9a-f]{40}$/i.test(value) ? `0x${"99".repeat(20)}` : `${value}00`];
  if (Array.isArray(value)) {
    const changed = value.flatMap((item, index) =>
      variants(item).map((variant) => value.with(index, variant)),
    );
    return [...changed, [...value, value[0] ?? "0x"]];
  }
  return Object.entries(value as object).flatMap(([name, member]) =>
    variants(member).map((variant) => ({ ...(value as object), [name]: variant })),
  );
}

describe("hashOrder", () => {
  for (const name of ["order-base-arbitrum", "order-base-optimism", "order-base-robinhood-signed"] as const) {
    // @spec order/id
    it(`gives ${name} its published id, and the id and signed digest of another encoder`, () => {
      const { order, orderId } = publishedOrder(name);
      expect(hashOrder({ order })).to.equal(orderId);
      expect(orderIdOf(order)).to.equal(orderId);
      expect(hashMessage({ raw: orderId })).to.equal(hashMessageByEthers(getBytes(orderId)));
    });
  }

  it("names normalizeOrder when an order of the API, with a salt in hexadecimal, is given as it came", () => {
    const order = publishedWireOrder("order-base-arbitrum").orderData as unknown as Order;
    for (const read of [() => hashOrder({ order }), () => formatOrder({ order })]) {
      expect(expectInvalid(read, "order.salt").message)
        .to.include("not a bigint")
        .and.include("normalizeOrder");
    }
  });

  it("agrees with another encoder on any order", () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        expect(hashOrder({ order })).to.equal(orderIdOf(order));
      }),
      { numRuns: 100 },
    );
  }).timeout(20_000);

  it("gives every member a part in the id", () => {
    const { order } = publishedOrder("order-base-arbitrum");
    const { solver } = order;
    const chains = { currencyChainId: "base", recipientChainId: "base" };
    const withEverything: Order = {
      ...order,
      fees: [{ ...chains, amount: 1n, currency: solver, recipient: solver }],
      output: { ...order.output, calls: ["0x1234"] },
    };
    const changed = variants(withEverything) as Order[];
    const ids = [withEverything, ...changed].map((variant) => hashOrder({ order: variant }));
    expect(changed, "one for each member and each list").to.have.length(38);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it("refuses bytes that are not whole bytes of hex, by their place in the order", () => {
    const { order } = publishedOrder("order-base-optimism");
    for (const value of ["So11111111111111111111111111111111111111112", "83aabb", "0xabc", "0xzz"] as Hex[]) {
      const [payment] = order.output.payments;
      if (payment === undefined) throw new Error("the published order has no payment");
      const changed = { ...order, output: { ...order.output, payments: [{ ...payment, recipient: value }] } };
      expectInvalid(() => hashOrder({ order: changed }), "order.output.payments[0].recipient", value);
      expectInvalid(() => hashOrder({ order: { ...order, solver: value } }), "order.solver", value);
    }
  });
});
