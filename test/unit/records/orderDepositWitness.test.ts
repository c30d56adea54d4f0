import { expect } from "chai";
import { TypedDataEncoder } from "ethers";
import { hashStruct } from "viem";
import type { Order, OrderInput } from "../../../src/records/Order.ts";
import { hashOrderDepositWitness, orderPermit2TypedData } from "../../../src/records/orderDepositWitness.ts";
import { expectPermit, expectSameHash, receiver, terms, token } from "./support/permit2.ts";
import { expectInvalid } from "./support/typedFailure.ts";
import { publishedOrder } from "./support/vectors.ts";

const published = publishedOrder("order-base-arbitrum");
const [firstInput] = published.order.inputs;
if (firstInput === undefined) throw new Error("The published order has no input.");
const input: OrderInput = {
  ...firstInput,
  payment: { ...firstInput.payment, amount: 1_000_000n, currency: token },
};
const order: Order = { ...published.order, inputs: [input] };
const transfer = { ...terms, chainId: 8453, order } as const;

/** The types as the contract spells them. */
const types = {
  OrderDepositWitness: [
    { name: "orderId", type: "bytes32" },
    { name: "receiver", type: "address" },
  ],
};

describe("hashOrderDepositWitness", () => {
  it("a published order gives the EIP-712 struct hash of its published id, by viem and by ethers", () => {
    const data = { orderId: published.orderId, receiver } as const;
    const hash = hashOrderDepositWitness({ order: published.order, receiver });
    expect(hash).to.equal(hashStruct({ data, primaryType: "OrderDepositWitness", types }));
    expect(hash).to.equal(TypedDataEncoder.from(types).hash(data));
  });

  it("another salt or another receiver gives another hash", () => {
    const hash = hashOrderDepositWitness({ order, receiver });
    expect(hashOrderDepositWitness({ order: { ...order, salt: order.salt + 1n }, receiver })).to.not.equal(
      hash,
    );
    expect(hashOrderDepositWitness({ order, receiver: token })).to.not.equal(hash);
  });
});

describe("orderPermit2TypedData", () => {
  it("an input in a token gives a permit of exactly its amount to the receiver, with the witness", () => {
    const typedData = orderPermit2TypedData(transfer);
    expectPermit(typedData, 8453, 1_000_000n);
    const data = typedData.message.witness;
    const hash = hashStruct({ data, primaryType: "OrderDepositWitness", types });
    expect(hash).to.equal(hashOrderDepositWitness({ order, receiver }));
  });

  it("the input index selects token and amount", () => {
    const second = { ...input, payment: { ...input.payment, amount: 5n, currency: receiver } } as const;
    const { message } = orderPermit2TypedData({
      ...transfer,
      inputIndex: 1,
      order: { ...order, inputs: [input, second] },
    });
    expect(message.permitted).to.deep.equal({ amount: 5n, token: receiver });
  });

  it("rejects an index without an input, and a currency that is no EVM address", () => {
    expectInvalid(() => orderPermit2TypedData({ ...transfer, inputIndex: 1 }), "inputIndex");
    const word = { ...input, payment: { ...input.payment, currency: `0x${"11".repeat(32)}` } } as const;
    const inputs = [input, word];
    expectInvalid(
      () => orderPermit2TypedData({ ...transfer, inputIndex: 1, order: { ...order, inputs } }),
      "order.inputs[1].payment.currency",
    );
  });

  it("viem's hash and signature are those of ethers", () =>
    expectSameHash(orderPermit2TypedData(transfer), types));
});
