import { expect } from "chai";
import { network } from "hardhat";
import type { Order } from "../../../src/records/Order.ts";
import { flattenCalls, traceCalls } from "../../helpers/contracts/callTrace.ts";
import {
  CHAIN_NAME,
  DESTINATION_NAME,
  type DepositOptions,
  deployOrderStage,
  depositNative,
  inputOf,
  type OrderStage,
  orderOf,
} from "../../helpers/contracts/orderStage.ts";
import { solver } from "../../helpers/contracts/receiverStage.ts";
import { orderIdOf, signOrder } from "../../helpers/contracts/signedOrder.ts";
import { compactSignature } from "../../helpers/contracts/signedRecord.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 700_000_000_000_000_000n;
async function stageOnly() {
  return deployOrderStage(ethers);
}

async function holdings({ depository, receiver }: OrderStage): Promise<bigint[]> {
  return Promise.all([depository, receiver].map((each) => ethers.provider.getBalance(each)));
}

describe("OrderReceiver.deposit", () => {
  it("deposits the money at the depository under the orderId, and keeps nothing", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const order = orderOf(stage, AMOUNT);
    const orderId = orderIdOf(order);
    await expect(depositNative(stage, order, AMOUNT))
      .to.emit(stage.receiver, "OrderDeposited")
      .withArgs(orderId, stage.depositor.address, 0n, ethers.ZeroAddress, AMOUNT)
      .and.to.emit(stage.depository, "RelayNativeDeposit")
      .withArgs(stage.depositor.address, AMOUNT, orderId);
    expect(await holdings(stage)).to.deep.equal([AMOUNT, 0n]);
    expect(await stage.receiver.depositorOf(orderId)).to.equal(stage.depositor.address);
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

  it("returns its parameters of deployment", async () => {
    const { depository, receiver } = await networkHelpers.loadFixture(stageOnly);
    expect(await receiver.solver()).to.equal(solver.address);
    expect(await receiver.depository()).to.equal(await depository.getAddress());
    expect(await receiver.chainNameHash()).to.equal(ethers.id(CHAIN_NAME));
    expect(await receiver.thisChainId()).to.equal(31_337n);
    expect(await receiver.depositorOf(ethers.ZeroHash)).to.equal(ethers.ZeroAddress);
  });

  interface Accepted {
    readonly what: string;
    order?(stage: OrderStage): Partial<Order>;
    options?(stage: OrderStage, order: Order): DepositOptions;
  }
  const accepted: readonly Accepted[] = [
    {
      what: "an order with the 64-byte form of the signature",
      options: (_, order) => ({ signature: compactSignature(signOrder(solver, order)) }),
    },
    { what: "a payment by any account, and logs the payer", options: ({ stranger }) => ({ from: stranger }) },
    {
      what: "the input at the given index, whatever chain another names",
      order: (stage) => {
        const input = inputOf(stage, AMOUNT);
        const elsewhere = { ...input, payment: { ...input.payment, chainId: "optimism" } };
        return { inputs: [elsewhere, input] };
      },
      options: () => ({ inputIndex: 1 }),
    },
    {
      what: "a passed refund deadline of an input that is not paid",
      order: (stage) => {
        const input = inputOf(stage, AMOUNT);
        const refunds = input.refunds.map((refund) => ({ ...refund, deadline: 1 }));
        return { inputs: [{ ...input, refunds }, input] };
      },
      options: () => ({ inputIndex: 1 }),
    },
    {
      what: "an input without refunds",
      order: (stage) => ({ inputs: [{ ...inputOf(stage, AMOUNT), refunds: [] }] }),
    },
    {
      what: "calls, fees and many payments, whose every member is in the id",
      order: (stage) => {
        const { output } = orderOf(stage, AMOUNT);
        const fee = {
          recipientChainId: CHAIN_NAME,
          recipient: stage.recipient,
          currencyChainId: DESTINATION_NAME,
          currency: stage.recipient,
          amount: 5n,
        };
        const payments = [...output.payments, ...output.payments];
        return { output: { ...output, calls: ["0x", "0x1234"], payments }, fees: [fee, fee] };
      },
    },
  ];
  for (const { what, order: change, options } of accepted) {
    it(`accepts ${what}`, async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const order: Order = { ...orderOf(stage, AMOUNT), ...change?.(stage) };
      const given = options?.(stage, order) ?? {};
      await expect(depositNative(stage, order, AMOUNT, given))
        .to.emit(stage.depository, "RelayNativeDeposit")
        .withArgs((given.from ?? stage.depositor).address, AMOUNT, orderIdOf(order));
      expect(await holdings(stage)).to.deep.equal([AMOUNT, 0n]);
    });
  }

  it("counts orders that differ only in their salt separately", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    for (const salt of [1n, 2n]) await depositNative(stage, orderOf(stage, AMOUNT, undefined, salt), AMOUNT);
    expect(await holdings(stage)).to.deep.equal([2n * AMOUNT, 0n]);
  });

  it("does not forward ether that was forced on it", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    await networkHelpers.setBalance(await stage.receiver.getAddress(), 5n);
    await depositNative(stage, orderOf(stage, AMOUNT), AMOUNT);
    expect(await holdings(stage)).to.deep.equal([AMOUNT, 5n]);
  });
});
