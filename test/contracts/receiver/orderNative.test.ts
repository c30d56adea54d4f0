import { expect } from "chai";
import { network } from "hardhat";
import type { Order } from "../../../src/records/Order.ts";
import { flattenCalls, traceCalls } from "../../helpers/contracts/callTrace.ts";
import {
  CHAIN_NAME,
  DESTINATION_NAME,
  deployOrderStage,
  depositNative,
  inputOf,
  type OrderStage,
  orderOf,
  solver,
} from "../../helpers/contracts/orderStage.ts";
import { orderIdOf, signOrder } from "../../helpers/contracts/signedOrder.ts";
import { compactSignature } from "../../helpers/contracts/signedRecord.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 700_000_000_000_000_000n;
/** An order as the service makes them: 35,400 are the transaction with its 2,628 bytes, 22,100 the slot, 6,700 the value. */
const GAS_LIMIT_OF_A_DEPOSIT = 88_000n;

async function stageOnly() {
  return deployOrderStage(ethers);
}

async function holdings({ depository, receiver }: OrderStage): Promise<bigint[]> {
  return Promise.all([depository, receiver].map((each) => ethers.provider.getBalance(each)));
}

describe("OrderReceiver.deposit", () => {
  it("hands the money to the depository under the orderId, and keeps nothing", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const order = orderOf(stage, AMOUNT);
    const orderId = orderIdOf(order);
    await expect(depositNative(stage, order, AMOUNT))
      .to.emit(stage.receiver, "OrderDeposited")
      .withArgs(orderId, stage.depositor.address)
      .and.to.emit(stage.depository, "RelayNativeDeposit")
      .withArgs(stage.depositor.address, AMOUNT, orderId);
    expect(await holdings(stage)).to.deep.equal([AMOUNT, 0n]);
    expect(await stage.receiver.isConsumed(orderId)).to.equal(true);
  });

  it("indexes the orderId and the depositor of its event", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const order = orderOf(stage, AMOUNT);
    await depositNative(stage, order, AMOUNT);
    const filter = stage.receiver.filters.OrderDeposited(orderIdOf(order), stage.depositor.address);
    expect(await stage.receiver.queryFilter(filter)).to.have.lengthOf(1);
  });

  it("calls no contract but the depository", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const { hash } = await depositNative(stage, orderOf(stage, AMOUNT), AMOUNT);
    const recovery = "0x0000000000000000000000000000000000000001";
    const called = flattenCalls(await traceCalls(ethers, hash)).slice(1);
    expect(
      called.filter(({ to }) => to !== recovery).map(({ to, type }) => [type, to.toLowerCase()]),
    ).to.deep.equal([["CALL", (await stage.depository.getAddress()).toLowerCase()]]);
  });

  it("says what it was deployed with", async () => {
    const { depository, receiver } = await networkHelpers.loadFixture(stageOnly);
    expect(await receiver.solver()).to.equal(solver.address);
    expect(await receiver.depository()).to.equal(await depository.getAddress());
    expect(await receiver.chainNameHash()).to.equal(ethers.id(CHAIN_NAME));
    expect(await receiver.recipientRoot()).to.equal(ethers.ZeroHash);
    expect(await receiver.isConsumed(ethers.ZeroHash)).to.equal(false);
  });

  it("accepts the 64-byte form of the signature", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const order = orderOf(stage, AMOUNT);
    await depositNative(stage, order, AMOUNT, { signature: compactSignature(signOrder(solver, order)) });
    expect(await holdings(stage)).to.deep.equal([AMOUNT, 0n]);
  });

  it("accepts a payment by any account, and logs the payer", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const order = orderOf(stage, AMOUNT);
    await expect(depositNative(stage, order, AMOUNT, { from: stage.stranger }))
      .to.emit(stage.depository, "RelayNativeDeposit")
      .withArgs(stage.stranger.address, AMOUNT, orderIdOf(order));
  });

  it("pays the input at the given index", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const elsewhere = inputOf(stage, AMOUNT);
    const order: Order = {
      ...orderOf(stage, AMOUNT),
      inputs: [
        { ...elsewhere, payment: { ...elsewhere.payment, chainId: "optimism" } },
        inputOf(stage, AMOUNT + 1n),
      ],
    };
    await depositNative(stage, order, AMOUNT + 1n, { inputIndex: 1 });
    expect(await holdings(stage)).to.deep.equal([AMOUNT + 1n, 0n]);
  });

  it("does not look at the refund deadlines of an input that is not paid", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const input = inputOf(stage, AMOUNT);
    const stale = { ...input, refunds: input.refunds.map((refund) => ({ ...refund, deadline: 1 })) };
    const order: Order = { ...orderOf(stage, AMOUNT), inputs: [stale, input] };
    await depositNative(stage, order, AMOUNT, { inputIndex: 1 });
    expect(await holdings(stage)).to.deep.equal([AMOUNT, 0n]);
  });

  it("accepts an input without refunds", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const { payment } = inputOf(stage, AMOUNT);
    await depositNative(stage, { ...orderOf(stage, AMOUNT), inputs: [{ payment, refunds: [] }] }, AMOUNT);
    expect(await holdings(stage)).to.deep.equal([AMOUNT, 0n]);
  });

  it("accepts orders with calls, fees and many payments, whose every member is in the id", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const plain = orderOf(stage, AMOUNT);
    const fee = {
      recipientChainId: CHAIN_NAME,
      recipient: stage.recipient,
      currencyChainId: DESTINATION_NAME,
      currency: stage.recipient,
      amount: 5n,
    };
    const order: Order = {
      ...plain,
      output: {
        ...plain.output,
        calls: ["0x", "0x1234"],
        payments: [...plain.output.payments, ...plain.output.payments],
      },
      fees: [fee, fee],
    };
    await expect(depositNative(stage, order, AMOUNT))
      .to.emit(stage.depository, "RelayNativeDeposit")
      .withArgs(stage.depositor.address, AMOUNT, orderIdOf(order));
  });

  it("counts orders that differ in nothing but their salt apart", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    for (const salt of [1n, 2n]) await depositNative(stage, orderOf(stage, AMOUNT, undefined, salt), AMOUNT);
    expect(await holdings(stage)).to.deep.equal([2n * AMOUNT, 0n]);
  });

  it("does not pass on money that was forced upon it", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    await networkHelpers.setBalance(await stage.receiver.getAddress(), 5n);
    await depositNative(stage, orderOf(stage, AMOUNT), AMOUNT);
    expect(await holdings(stage)).to.deep.equal([AMOUNT, 5n]);
  });

  it("costs little more than its calldata, its signature and its slot", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    await depositNative(stage, orderOf(stage, AMOUNT), AMOUNT);
    const salt = BigInt(ethers.id("steady state"));
    const sent = await depositNative(stage, orderOf(stage, AMOUNT, undefined, salt), AMOUNT);
    const receipt = await sent.wait();
    expect(receipt?.gasUsed).to.be.below(GAS_LIMIT_OF_A_DEPOSIT);
  });
});
