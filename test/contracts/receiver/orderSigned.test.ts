import { expect } from "chai";
import { type BaseContract, MaxUint256, type Signer, ZeroAddress } from "ethers";
import { network } from "hardhat";
import type { Hex } from "viem";
import type { Order } from "../../../src/records/Order.ts";
import { hashOrderDepositWitness, orderPermit2TypedData } from "../../../src/records/orderDepositWitness.ts";
import { deployOrderStage, type OrderStage, orderOf } from "../../helpers/contracts/orderStage.ts";
import { inAnHour, signAuthorization, signPermit } from "../../helpers/contracts/ownerSignatures.ts";
import { PERMIT2_ADDRESS, placePermit2 } from "../../helpers/contracts/permit2.ts";
import { solver } from "../../helpers/contracts/receiverStage.ts";
import { orderIdOf, orderStruct, signOrder } from "../../helpers/contracts/signedOrder.ts";
import { deployLocalToken, type TestToken } from "../../helpers/contracts/tokens.ts";

const { ethers } = await network.create();

const AMOUNT = 1_000_000n;

async function orderIn(stage: OrderStage, token: BaseContract, salt = 1n): Promise<Order> {
  return orderOf(stage, AMOUNT, (await token.getAddress()).toLowerCase(), salt);
}

/** Balances of the depositor, the depository, and the receiver, whose balance must stay zero. */
async function balances({ depositor, depository, receiver }: OrderStage, token: BaseContract) {
  return Promise.all([depositor, depository, receiver].map((each) => (token as TestToken).balanceOf(each)));
}

/** A Permit2 transfer for an order, over the library's typed data. */
async function signOrderTransfer(
  stage: OrderStage,
  order: Order,
  { owner = stage.depositor, receiver }: { owner?: Signer; receiver?: string } = {},
) {
  const { domain, types, message } = orderPermit2TypedData({
    chainId: Number((await stage.ethers.provider.getNetwork()).chainId),
    deadline: await inAnHour(stage.ethers),
    nonce: 7n,
    order,
    receiver: (receiver ?? (await stage.receiver.getAddress())) as Hex,
  });
  const members = Object.fromEntries(Object.entries(types).map(([name, list]) => [name, [...list]]));
  const signature = await owner.signTypedData(domain, members, message);
  const { deadline, nonce } = message;
  return { owner: await owner.getAddress(), nonce, deadline, signature };
}

/** The depositor's ERC-3009 authorization for an order, whose nonce is the library's witness. */
async function signOrderAuthorization(
  { ethers, depositor, receiver }: OrderStage,
  order: Order,
  token: BaseContract,
  name: string,
) {
  const to = (await receiver.getAddress()) as Hex;
  const domain = { address: await token.getAddress(), name };
  return signAuthorization(ethers, depositor, domain, {
    from: depositor.address,
    to,
    value: AMOUNT,
    validAfter: 0n,
    validBefore: await inAnHour(ethers),
    nonce: hashOrderDepositWitness({ order, receiver: to }),
  });
}

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

describe("OrderReceiver, payments with signatures of wallets", () => {
  it("an ERC-2612 permit of the caller pays the order without an approval", async () => {
    const token = await deployLocalToken(ethers);
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
});
