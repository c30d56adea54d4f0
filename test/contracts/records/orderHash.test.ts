import { expect } from "chai";
import fc from "fast-check";
import { network } from "hardhat";
import { hashOrder } from "../../../src/records/hashOrder.ts";
import type { Order } from "../../../src/records/Order.ts";
import { orderIdOf, orderStruct, signOrder } from "../../helpers/contracts/signedOrder.ts";
import { compactSignature, mirroredSignature, testWallet } from "../../helpers/contracts/signedRecord.ts";
import { anyOrder, emptyOrder } from "../../unit/records/support/orders.ts";
import { publishedOrder } from "../../unit/records/support/vectors.ts";

const { ethers } = await network.create();
// Stateless, so one serves every test.
const verifier = await ethers.deployContract("RecordVerifier");

const RANDOM_ORDERS = 96;
const signer = testWallet(3);

/** Returns a contract's id of an order, after comparing the digest with another implementation's. */
async function idOnChain(order: Order): Promise<string> {
  const { orderId, digest } = await verifier.hashOrder(orderStruct(order));
  expect(digest).to.equal(ethers.hashMessage(ethers.getBytes(orderId)));
  return orderId;
}

/** Orders that differ from `order` in one member each, none of them nested in another's list. */
function changesOf(order: Order): Order[] {
  const { output } = order;
  return [
    { ...order, version: `${order.version} ` },
    { ...order, solverChainId: "ethereum" },
    { ...order, solver: `0x${"99".repeat(20)}` },
    { ...order, salt: order.salt ^ 1n },
    { ...order, inputs: [] },
    { ...order, inputs: [...order.inputs, ...order.inputs] },
    { ...order, inputs: order.inputs.map((input) => ({ ...input, refunds: input.refunds.slice(1) })) },
    { ...order, inputs: order.inputs.map((input) => ({ ...input, refunds: input.refunds.toReversed() })) },
    { ...order, output: { ...output, chainId: "base" } },
    { ...order, output: { ...output, payments: [] } },
    { ...order, output: { ...output, deadline: output.deadline + 1 } },
    { ...order, output: { ...output, calls: ["0x"] } },
    { ...order, output: { ...output, extraData: "0x" } },
    {
      ...order,
      fees: [{ amount: 0n, currency: "0x", currencyChainId: "", recipient: "0x", recipientChainId: "" }],
    },
  ];
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

  it("agrees with the library and with ethers on an order with every optional part empty", async () => {
    const onChain = await idOnChain(emptyOrder);
    expect(onChain).to.equal(hashOrder({ order: emptyOrder }));
    expect(onChain).to.equal(orderIdOf(emptyOrder));
  });

  it("agrees with the library and with ethers on a call of extreme length", async () => {
    const { order } = publishedOrder("order-base-optimism");
    const long: Order = {
      ...order,
      output: { ...order.output, calls: ["0x", `0x${"a5".repeat(40_001)}`, "0x01"] },
    };
    const onChain = await idOnChain(long);
    expect(onChain).to.equal(hashOrder({ order: long }));
    expect(onChain).to.equal(orderIdOf(long));
  });

  it("every change of the published order changes its id", async () => {
    const { order } = publishedOrder("order-base-arbitrum");
    const variants = [order, ...changesOf(order)];
    const ids = await Promise.all(variants.map(idOnChain));
    expect(ids).to.deep.equal(variants.map(orderIdOf));
    expect(new Set(ids).size).to.equal(variants.length);
  });

  it("a list of two calls and one call of the same bytes have different ids", async () => {
    const withCalls = (calls: Order["output"]["calls"]): Order => ({
      ...emptyOrder,
      output: { ...emptyOrder.output, calls },
    });
    const ids = await Promise.all(
      [["0x1234"], ["0x12", "0x34"], ["0x1234", "0x"]].map((calls) =>
        idOnChain(withCalls(calls as Order["output"]["calls"])),
      ),
    );
    expect(new Set(ids).size).to.equal(3);
  });

  it("recovers the signer of an order, from either form of the signature", async () => {
    const { order } = publishedOrder("order-base-arbitrum");
    const signature = signOrder(signer, order);
    for (const form of [signature, compactSignature(signature)]) {
      expect(await verifier.recoverOrderSigner(orderStruct(order), form)).to.equal(signer.address);
    }
  });

  it("recovers another address once any part of the order is changed", async () => {
    const { order } = publishedOrder("order-base-arbitrum");
    const signature = signOrder(signer, order);
    for (const changed of changesOf(order)) {
      const recovered = await verifier
        .recoverOrderSigner(orderStruct(changed), signature)
        .catch((error: unknown) => {
          if (String(error).includes("SignatureRecoversNobody")) return ethers.ZeroAddress;
          throw error;
        });
      expect(recovered).not.to.equal(signer.address);
    }
  });

  it("rejects an order's signature mirrored to high s, and one of another length", async () => {
    const errors = await ethers.getContractAt("SolverSignature", verifier);
    const { order } = publishedOrder("order-base-arbitrum");
    const mirrored = mirroredSignature(signOrder(signer, order));
    await expect(verifier.recoverOrderSigner(orderStruct(order), mirrored))
      .to.be.revertedWithCustomError(errors, "SignatureSTooHigh")
      .withArgs(ethers.dataSlice(mirrored, 32, 64));
    await expect(verifier.recoverOrderSigner(orderStruct(order), "0x1234"))
      .to.be.revertedWithCustomError(errors, "SignatureLengthInvalid")
      .withArgs(2);
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
