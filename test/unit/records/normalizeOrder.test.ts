import { expect } from "chai";
import fc from "fast-check";
import type { Hex } from "viem";
import { hashOrder } from "../../../src/records/hashOrder.ts";
import { formatOrder, normalizeOrder, type WireOrder } from "../../../src/records/normalizeOrder.ts";
import type { Order } from "../../../src/records/Order.ts";
import { orderIdOf } from "../../helpers/contracts/signedOrder.ts";
import { maxUint256 } from "./support/arbitraries.ts";
import { otherAddress, realOrder } from "./support/orders.ts";
import { expectInvalid } from "./support/typedFailure.ts";
import { publishedWireOrder } from "./support/vectors.ts";

const published = ["order-base-arbitrum", "order-base-optimism"] as const;
const { orderData } = publishedWireOrder("order-base-arbitrum");
const native = "11111111111111111111111111111111";
const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const usdcBytes = "0xc6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2f6e0e47ca60203452f5d61";
const account = "0x03508bb71268bba25ecacc8f620e01866650532c";

/** The wire form of an order by code that shares none with the library's. */
function otherFormatOrder(order: Order): unknown {
  const text = (_: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);
  const copy = JSON.parse(JSON.stringify(order, text));
  const translate = (part: Record<string, Hex>, name: string, chainId: string) => {
    part[name] = otherAddress(part[name] as Hex, chainId) as Hex;
  };
  copy.salt = `0x${order.salt.toString(16).padStart(64, "0")}`;
  for (const { payment, refunds } of copy.inputs) {
    translate(payment, "currency", payment.chainId);
    for (const refund of refunds) {
      for (const name of ["recipient", "currency"]) translate(refund, name, refund.chainId);
    }
  }
  for (const payment of copy.output.payments) {
    for (const name of ["recipient", "currency"]) translate(payment, name, copy.output.chainId);
  }
  for (const fee of copy.fees) {
    translate(fee, "recipient", fee.recipientChainId);
    translate(fee, "currency", fee.currencyChainId);
  }
  return copy;
}

/** The published order with another output. */
function withOutput(chainId: string, recipient: string, currency: string): WireOrder {
  const payments = [{ currency, expectedAmount: "2", minimumAmount: "1", recipient }];
  return { ...orderData, output: { ...orderData.output, chainId, payments } };
}

describe("normalizeOrder", () => {
  it("reads the published orders, whose ids come out", () => {
    for (const name of published) {
      const { orderData, orderId } = publishedWireOrder(name);
      const order = normalizeOrder({ orderData });
      expect(hashOrder({ order }), name).to.equal(orderId);
      expect(order.output.payments[0]?.minimumAmount, name).to.equal(
        BigInt(orderData.output.payments[0]?.minimumAmount ?? 0),
      );
    }
  });

  it("reads addresses of SVM chains from base58, 32 bytes each", () => {
    const [payment] = normalizeOrder({ orderData: withOutput("solana", usdc, native) }).output.payments;
    expect(payment?.recipient).to.equal(usdcBytes);
    expect(payment?.currency).to.equal(`0x${"00".repeat(32)}`);
  });

  it("reads currencies of the perps exchange: 16 bytes, and the name of a market after them", () => {
    for (const currency of [`0x${"00".repeat(16)}`, "0x6d1e7cde53ba9467b783cb7c530ce05478797a"]) {
      const order = normalizeOrder({ orderData: withOutput("hyperliquid", account, currency) });
      expect(order.output.payments[0]).to.deep.include({ currency, recipient: account });
    }
  });

  it("refuses addresses of another kind of chain, by their place", () => {
    const recipient = "orderData.output.payments[0].recipient";
    const currency = "orderData.output.payments[0].currency";
    const wrong: readonly (readonly [string, WireOrder])[] = [
      [recipient, withOutput("solana", account, native)],
      [recipient, withOutput("solana", usdc.slice(4), native)],
      [recipient, withOutput("solana", `${usdc}1`, native)],
      [recipient, withOutput("solana", usdc.replace("E", "0"), native)],
      [recipient, withOutput("solana", ` ${usdc}`, native)],
      [recipient, withOutput("base", usdc, account)],
      [recipient, withOutput("base", usdcBytes, account)],
      [recipient, withOutput("bitcoin", "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8", account)],
      [recipient, withOutput("hyperliquid", `0x${"00".repeat(16)}`, account)],
      [currency, withOutput("hyperliquid", account, "0x1234")],
      [currency, withOutput("hyperliquid", account, `0x${"00".repeat(117)}`)],
      [currency, withOutput("constructor", account, native)],
    ];
    for (const [place, order] of wrong) expectInvalid(() => normalizeOrder({ orderData: order }), place);
    expectInvalid(
      () =>
        normalizeOrder({
          orderData: withOutput("tron", account, account),
          vmTypes: { tron: "tvm" as "evm" },
        }),
      "vmTypes.tron",
    );
  });

  it("reads addresses by the chain of their own struct, whatever chain another field names", () => {
    const named = { chainId: "solana", currencyChainId: "solana", recipientChainId: "solana" };
    const { inputs, output } = orderData;
    const changed = {
      ...orderData,
      ...named,
      inputs: inputs.map(({ payment, refunds }) => ({
        payment: { ...named, ...payment },
        refunds: refunds.map((refund) => ({ ...named, ...refund })),
      })),
      output: { ...output, payments: output.payments.map((payment) => ({ ...payment, ...named })) },
    };
    expect(normalizeOrder({ orderData: changed })).to.deep.equal(normalizeOrder({ orderData }));
  });

  it("reads a salt in every form of a quantity, exactly", () => {
    const salts: readonly (readonly [string | number, bigint])[] = [
      ["0x0", 0n],
      [0, 0n],
      [`0x${"f".repeat(64)}`, maxUint256],
      [maxUint256.toString(), maxUint256],
      ["9007199254740993", 9007199254740993n],
      [7, 7n],
    ];
    for (const [salt, value] of salts) {
      expect(normalizeOrder({ orderData: { ...orderData, salt } }).salt).to.equal(value);
    }
    for (const salt of ["0x", "-1", "1e3", "", (maxUint256 + 1n).toString(), 1.5, -1, 2 ** 53, Number.NaN]) {
      expectInvalid(
        () => normalizeOrder({ orderData: { ...orderData, salt } }),
        "orderData.salt",
        String(salt),
      );
    }
  });

  it("refuses members that do not fit their types, by their place in the order", () => {
    const { inputs, output } = orderData;
    const [input] = inputs;
    const broken: readonly (readonly [string, unknown])[] = [
      ["orderData", undefined],
      ["orderData", []],
      ["orderData.version", { ...orderData, version: 1 }],
      ["orderData.solver", { ...orderData, solver: usdc }],
      ["orderData.solver", { ...orderData, solver: usdcBytes }],
      ["orderData.inputs", { ...orderData, inputs: {} }],
      ["orderData.inputs[1]", { ...orderData, inputs: [input, null] }],
      ["orderData.inputs[0].payment.chainId", { ...orderData, inputs: [{ payment: {}, refunds: [] }] }],
      ["orderData.output.deadline", { ...orderData, output: { ...output, deadline: "1" } }],
      ["orderData.output.deadline", { ...orderData, output: { ...output, deadline: 2 ** 32 } }],
      ["orderData.output.calls[0]", { ...orderData, output: { ...output, calls: ["0x1"] } }],
      ["orderData.output.calls[0]", { ...orderData, output: { ...output, calls: new Array(1) } }],
      ["orderData.output.payments[0].minimumAmount", amountOf(1)],
      ["orderData.output.payments[0].minimumAmount", amountOf("1.5")],
      ["orderData.output.payments[0].minimumAmount", amountOf("-1")],
      ["orderData.output.payments[0].minimumAmount", amountOf((maxUint256 + 1n).toString())],
      ["orderData.fees", { ...orderData, fees: undefined }],
    ];
    for (const [place, value] of broken) {
      expectInvalid(() => normalizeOrder({ orderData: value as WireOrder }), place);
    }
  });
});

function amountOf(minimumAmount: unknown): unknown {
  const [payment] = orderData.output.payments;
  return { ...orderData, output: { ...orderData.output, payments: [{ ...payment, minimumAmount }] } };
}

describe("formatOrder", () => {
  it("writes any order as other code does, and what it writes reads back, with the same id", () => {
    fc.assert(
      fc.property(realOrder, (order) => {
        const wire = formatOrder({ order });
        expect(wire).to.deep.equal(otherFormatOrder(order));
        const back = normalizeOrder({ orderData: JSON.parse(JSON.stringify(wire)) });
        expect(back).to.deep.equal(order);
        expect(hashOrder({ order: back })).to.equal(orderIdOf(order));
      }),
      { numRuns: 150 },
    );
  }).timeout(20_000);

  it("refuses addresses of another chain, by their place in the order", () => {
    const order = normalizeOrder({ orderData: withOutput("solana", usdc, native) });
    const payments = [
      { currency: "0x12", expectedAmount: 1n, minimumAmount: 1n, recipient: usdcBytes },
    ] as const;
    const changed: Order = { ...order, output: { ...order.output, payments } };
    expectInvalid(() => formatOrder({ order: changed }), "order.output.payments[0].currency");
    expectInvalid(() => formatOrder({ order: { ...order, salt: -1n } }), "order.salt");
  });
});
