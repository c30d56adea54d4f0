import { expect } from "chai";
import { type BaseContract, MaxUint256, type Signer, ZeroAddress } from "ethers";
import { network } from "hardhat";
import type { Order } from "../../../src/records/Order.ts";
import { deployOrderStage, forger, type OrderStage, orderOf } from "../../helpers/contracts/orderStage.ts";
import {
  ORDER_AMOUNT as AMOUNT,
  balances,
  orderIn,
  signOrderAuthorization,
  signOrderTransfer,
} from "../../helpers/contracts/orderTokens.ts";
import { inAnHour, signPermit } from "../../helpers/contracts/ownerSignatures.ts";
import { PERMIT2_ADDRESS, placePermit2 } from "../../helpers/contracts/permit2.ts";
import { solver } from "../../helpers/contracts/receiverStage.ts";
import { orderIdOf, orderStruct, signOrder } from "../../helpers/contracts/signedOrder.ts";
import { deployToken, type TestToken } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

async function stageOnly(): Promise<OrderStage> {
  await placePermit2(ethers);
  return deployOrderStage(ethers);
}

async function fundedWith(token: BaseContract, spender?: string) {
  const stage = await stageOnly();
  const asToken = token as TestToken;
  await asToken.mint(stage.depositor.address, 2n * AMOUNT);
  if (spender !== undefined) await asToken.connect(stage.depositor).approve(spender, MaxUint256);
  return stage;
}

type Terms = [order: ReturnType<typeof orderStruct>, inputIndex: number, signature: string];
const termsOf = (order: Order): Terms => [orderStruct(order), 0, signOrder(solver, order)];

async function expectPaid(stage: OrderStage, order: Order, token: BaseContract, sending: Promise<unknown>) {
  const orderId = orderIdOf(order);
  const address = await token.getAddress();
  await expect(sending)
    .to.emit(stage.receiver, "OrderDeposited")
    .withArgs(orderId, stage.depositor.address, 0n, address, AMOUNT)
    .and.to.emit(stage.depository, "RelayErc20Deposit")
    .withArgs(stage.depositor.address, address, AMOUNT, orderId);
  expect(await balances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
  expect(await stage.receiver.depositorOf(orderId)).to.equal(stage.depositor.address);
  expect(await (token as TestToken).allowance(stage.receiver, stage.depository)).to.equal(0n);
}

describe("OrderReceiver, signed payments and batches", () => {
  it("an ERC-2612 permit of the caller pays the order without an approval", async () => {
    const token = await deployToken(ethers, "LocalToken");
    const stage = await fundedWith(token);
    const order = await orderIn(stage, token);
    const permit = await signPermit(
      ethers,
      stage.depositor,
      { address: await token.getAddress(), name: "Local Dollar" },
      {
        owner: stage.depositor.address,
        spender: await stage.receiver.getAddress(),
        value: AMOUNT,
        nonce: 0n,
        deadline: await inAnHour(ethers),
      },
    );
    const pay = (from: Signer) =>
      stage.receiver.connect(from).depositErc20WithPermit(token, AMOUNT, ...termsOf(order), permit);
    await expect(pay(stage.stranger)).to.be.revertedWithCustomError(stage.receiver, "PermitRefused");
    await expectPaid(stage, order, token, pay(stage.depositor));
  });

  it("a Permit2 transfer with the library's witness pays the order by a relayer's call, once", async () => {
    const token = await ethers.deployContract("PlainToken");
    const stage = await fundedWith(token, PERMIT2_ADDRESS);
    const order = await orderIn(stage, token);
    const transfer = await signOrderTransfer(stage, order);
    const pay = () =>
      stage.receiver
        .connect(stage.stranger)
        .depositErc20WithPermit2(token, AMOUNT, ...termsOf(order), transfer);
    await expectPaid(stage, order, token, pay());
    await expect(pay()).to.be.revertedWithCustomError(stage.receiver, "RequestAlreadyConsumed");
  });

  it("a Permit2 transfer for one order is refused for another order and at another receiver", async () => {
    const token = await ethers.deployContract("PlainToken");
    const stage = await fundedWith(token, PERMIT2_ADDRESS);
    const [order, other] = [await orderIn(stage, token), await orderIn(stage, token, 2n)];
    for (const [paid, transfer] of [
      [other, await signOrderTransfer(stage, order)],
      [order, await signOrderTransfer(stage, order, { receiver: stage.stranger.address })],
      [
        order,
        {
          ...(await signOrderTransfer(stage, order, { owner: stage.stranger })),
          owner: stage.depositor.address,
        },
      ],
    ] as const) {
      await expect(
        stage.receiver.depositErc20WithPermit2(token, AMOUNT, ...termsOf(paid), transfer),
      ).to.be.revertedWithCustomError(stage.receiver, "Permit2TransferRefused");
      expect(await stage.receiver.depositorOf(orderIdOf(paid))).to.equal(ZeroAddress);
    }
  });

  it("an ERC-3009 authorization with the library's nonce pays the order by a relayer's call", async () => {
    const token = await ethers.deployContract("AuthorizationToken");
    const stage = await fundedWith(token);
    const order = await orderIn(stage, token);
    const authorization = await signOrderAuthorization(stage, order, token, "Authorization");
    const other = await orderIn(stage, token, 2n);
    const pay = (paid: Order) =>
      stage.receiver
        .connect(stage.stranger)
        .depositErc20WithAuthorization(token, AMOUNT, ...termsOf(paid), authorization);
    await expect(pay(other)).to.be.revertedWithCustomError(stage.receiver, "AuthorizationRefused");
    await expectPaid(stage, order, token, pay(order));
  });

  it("tokens that lie here do not pay for an authorization the token ignores", async () => {
    const token = await ethers.deployContract("AwkwardAuthorizationToken");
    const stage = await fundedWith(token);
    await token.setIgnoresAuthorizations(true);
    await token.mint(stage.receiver, AMOUNT);
    const order = await orderIn(stage, token);
    const authorization = await signOrderAuthorization(stage, order, token, "Authorization");
    await expect(
      stage.receiver.depositErc20WithAuthorization(token, AMOUNT, ...termsOf(order), authorization),
    ).to.be.revertedWithCustomError(stage.receiver, "ArrivedAmountMismatch");
  });

  it("a zero owner of a signed payment is refused by name", async () => {
    const token = await ethers.deployContract("AuthorizationToken");
    const stage = await fundedWith(token);
    const order = await orderIn(stage, token);
    const authorization = await signOrderAuthorization(stage, order, token, "Authorization");
    const transfer = await signOrderTransfer(stage, order);
    const { receiver } = stage;
    for (const sending of [
      receiver.depositErc20WithAuthorization(token, AMOUNT, ...termsOf(order), {
        ...authorization,
        owner: ZeroAddress,
      }),
      receiver.depositErc20WithPermit2(token, AMOUNT, ...termsOf(order), { ...transfer, owner: ZeroAddress }),
    ]) {
      await expect(sending).to.be.revertedWithCustomError(receiver, "AddressIsZero");
    }
  });

  describe("batches", () => {
    const paymentOf = (order: Order) => ({
      order: orderStruct(order),
      inputIndex: 0,
      orderSignature: signOrder(solver, order),
    });

    async function batchStage() {
      const token = await ethers.deployContract("PlainToken");
      const stage = await stageOnly();
      await token.mint(stage.depositor, 2n * AMOUNT);
      await token.connect(stage.depositor).approve(stage.receiver, MaxUint256);
      const orders = [
        orderOf(stage, 5n),
        await orderIn(stage, token),
        orderOf(stage, 7n, undefined, 2n),
      ] as const;
      return { stage, token, orders };
    }

    it("native and token orders of one call reach the depository in order, nothing stays", async () => {
      const { stage, token, orders } = await networkHelpers.loadFixture(batchStage);
      const sending = stage.receiver
        .connect(stage.depositor)
        .depositAll(orders.map(paymentOf), { value: 12n });
      await expect(sending).to.changeEtherBalances(ethers, [stage.receiver, stage.depository], [0n, 12n]);
      expect(await balances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
      for (const order of orders) {
        expect(await stage.receiver.depositorOf(orderIdOf(order))).to.equal(stage.depositor.address);
      }
    });

    it("an empty batch, a wrong sum, a repeated order and a missing input are refused by name", async () => {
      const { stage, orders } = await networkHelpers.loadFixture(batchStage);
      const receiver = stage.receiver.connect(stage.depositor);
      const [first] = orders;
      const payments = orders.map(paymentOf);
      await expect(receiver.depositAll([])).to.be.revertedWithCustomError(receiver, "BatchIsEmpty");
      for (const value of [11n, 13n]) {
        await expect(receiver.depositAll(payments, { value }))
          .to.be.revertedWithCustomError(receiver, "NativeSumMismatch")
          .withArgs(12n, value);
      }
      await expect(receiver.depositAll([paymentOf(first), paymentOf(first)], { value: 10n }))
        .to.be.revertedWithCustomError(receiver, "RequestAlreadyConsumed")
        .withArgs(orderIdOf(first));
      await expect(receiver.depositAll([{ ...paymentOf(first), inputIndex: 1 }], { value: 5n }))
        .to.be.revertedWithCustomError(receiver, "InputIndexOutOfRange")
        .withArgs(1n, 1n);
      const forged = { ...paymentOf(first), orderSignature: signOrder(forger, first) };
      await expect(receiver.depositAll([forged], { value: 5n }))
        .to.be.revertedWithCustomError(receiver, "OrderNotSignedBySolver")
        .withArgs(forger.address, solver.address);
      expect(await stage.receiver.depositorOf(orderIdOf(first))).to.equal(ZeroAddress);
    });
  });
});
