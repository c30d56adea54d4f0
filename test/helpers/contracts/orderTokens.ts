import { type BaseContract, MaxUint256, type Signer } from "ethers";
import type { Hex } from "viem";
import type { Order } from "../../../src/records/Order.ts";
import { hashOrderDepositWitness, orderPermit2TypedData } from "../../../src/records/orderDepositWitness.ts";
import { type OrderStage, orderOf } from "./orderStage.ts";
import { inAnHour, signAuthorization } from "./ownerSignatures.ts";
import type { TestToken } from "./tokens.ts";

/** Input amount of the orders of these tests, in a token's smallest unit. */
export const ORDER_AMOUNT = 1_000_000n;

/** Funds the depositor with twice the amount and gives the receiver an infinite allowance. */
export async function fund(stage: OrderStage, token: BaseContract): Promise<void> {
  const asToken = token as TestToken;
  await asToken.mint(stage.depositor.address, 2n * ORDER_AMOUNT);
  await asToken.connect(stage.depositor).approve(stage.receiver, MaxUint256);
}

export async function orderIn(stage: OrderStage, token: BaseContract, salt = 1n): Promise<Order> {
  return orderOf(stage, ORDER_AMOUNT, (await token.getAddress()).toLowerCase(), salt);
}

/** Balances of the depositor, the depository, and the receiver, whose balance must stay zero. */
export async function balances({ depositor, depository, receiver }: OrderStage, token: BaseContract) {
  return Promise.all([depositor, depository, receiver].map((each) => (token as TestToken).balanceOf(each)));
}

/** A Permit2 transfer for an order, over the library's typed data. */
export async function signOrderTransfer(
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
export async function signOrderAuthorization(
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
    value: ORDER_AMOUNT,
    validAfter: 0n,
    validBefore: await inAnHour(ethers),
    nonce: hashOrderDepositWitness({ order, receiver: to }),
  });
}
