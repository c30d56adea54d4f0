import { expect } from "chai";
import { TypedDataEncoder } from "ethers";
import fc from "fast-check";
import type { Hex } from "viem";
import { hashOrder } from "../../../src/records/hashOrder.ts";
import type { Order } from "../../../src/records/Order.ts";
import { address, bytes, maxUint256, uint256 } from "./support/arbitraries.ts";
import { expectInvalid } from "./support/typedFailure.ts";
import { publishedOrder } from "./support/vectors.ts";

/** `type name` pairs of the protocol's EIP-712 structs. */
const members: Readonly<Record<string, string>> = {
  Fee: "string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount",
  Input: "InputPayment payment,InputRefund[] refunds",
  InputPayment: "string chainId,bytes currency,uint256 amount,uint256 weight",
  InputRefund:
    "string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData",
  Order:
    "string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees",
  Output: "string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData",
  OutputPayment: "bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount",
};

const ethersTypes = Object.fromEntries(
  Object.entries(members).map(([struct, list]) => [
    struct,
    list.split(",").map((member) => {
      const [type = "", name = ""] = member.split(" ");
      return { name, type };
    }),
  ]),
);

const text = fc.string({ maxLength: 40, unit: "binary" });
const deadline = fc.oneof(fc.integer({ max: 2 ** 32 - 1, min: 0 }), fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1));
const vmAddress = fc.oneof(address, bytes(32), bytes(0, 70));
const few = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { maxLength: 4 });

const orders: fc.Arbitrary<Order> = fc.record({
  fees: few(
    fc.record({
      amount: uint256,
      currency: vmAddress,
      currencyChainId: text,
      recipient: vmAddress,
      recipientChainId: text,
    }),
  ),
  inputs: few(
    fc.record({
      payment: fc.record({ amount: uint256, chainId: text, currency: vmAddress, weight: uint256 }),
      refunds: few(
        fc.record({
          chainId: text,
          currency: vmAddress,
          deadline,
          extraData: bytes(0, 300),
          minimumAmount: uint256,
          recipient: vmAddress,
        }),
      ),
    }),
  ),
  output: fc.record({
    calls: few(bytes(0, 500)),
    chainId: text,
    deadline,
    extraData: bytes(0, 300),
    payments: few(
      fc.record({
        currency: vmAddress,
        expectedAmount: uint256,
        minimumAmount: uint256,
        recipient: vmAddress,
      }),
    ),
  }),
  salt: uint256,
  solver: address,
  solverChainId: text,
  version: text,
});

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
  it("gives the ids of the published orders", () => {
    for (const name of ["order-base-arbitrum", "order-base-optimism"] as const) {
      const { order, orderId } = publishedOrder(name);
      expect(hashOrder({ order }), name).to.equal(orderId);
    }
  });

  it("agrees with another encoder on any order", () => {
    fc.assert(
      fc.property(orders, (order) => {
        expect(hashOrder({ order })).to.equal(TypedDataEncoder.hashStruct("Order", ethersTypes, order));
      }),
      { numRuns: 100 },
    );
  });

  it("agrees with another encoder on an order that is empty wherever it can be", () => {
    const order: Order = {
      fees: [],
      inputs: [],
      output: { calls: [], chainId: "", deadline: 0, extraData: "0x", payments: [] },
      salt: 0n,
      solver: `0x${"00".repeat(20)}`,
      solverChainId: "",
      version: "",
    };
    expect(hashOrder({ order })).to.equal(TypedDataEncoder.hashStruct("Order", ethersTypes, order));
    const nested: Order = {
      ...order,
      inputs: [{ payment: { amount: 0n, chainId: "", currency: "0x", weight: 0n }, refunds: [] }],
      output: { ...order.output, calls: ["0x"] },
    };
    expect(hashOrder({ order: nested })).to.equal(TypedDataEncoder.hashStruct("Order", ethersTypes, nested));
    expect(hashOrder({ order: nested })).not.to.equal(hashOrder({ order }));
  });

  it("gives every member a part in the id", () => {
    const { order } = publishedOrder("order-base-arbitrum");
    const withEverything: Order = {
      ...order,
      fees: [
        {
          amount: 1n,
          currency: order.solver,
          currencyChainId: "base",
          recipient: order.solver,
          recipientChainId: "base",
        },
      ],
      output: { ...order.output, calls: ["0x1234"] },
    };
    const changed = variants(withEverything) as Order[];
    const ids = [withEverything, ...changed].map((variant) => hashOrder({ order: variant }));
    expect(changed, "one for each member and each list").to.have.length(38);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it("refuses members that do not fit their types, by their place in the order", () => {
    const { order } = publishedOrder("order-base-optimism");
    const { output } = order;
    const broken: readonly (readonly [string, unknown])[] = [
      ["order.output.deadline", { ...order, output: { ...output, deadline: -1 } }],
      ["order.output.deadline", { ...order, output: { ...output, deadline: 1.5 } }],
      ["order.output.deadline", { ...order, output: { ...output, deadline: 2 ** 32 } }],
      ["order.salt", { ...order, salt: -1n }],
      ["order.salt", { ...order, salt: maxUint256 + 1n }],
      ["order.salt", { ...order, salt: 1 }],
      ["order.version", { ...order, version: undefined }],
      ["order.fees", { ...order, fees: undefined }],
      ["order.output.calls", { ...order, output: { ...output, calls: "0x" } }],
      ["order", undefined],
      ["order.output", { ...order, output: null }],
      ["order.inputs[0]", { ...order, inputs: [undefined] }],
      ["order.inputs[0].payment", { ...order, inputs: [{ refunds: [] }] }],
    ];
    for (const [place, value] of broken) expectInvalid(() => hashOrder({ order: value as Order }), place);
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

  it("takes a solver in any letter case", () => {
    const { order, orderId } = publishedOrder("order-base-optimism");
    const solver: Hex = `0x${order.solver.slice(2).toUpperCase()}`;
    expect(hashOrder({ order: { ...order, solver } })).to.equal(orderId);
  });
});
