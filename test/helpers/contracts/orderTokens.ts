import { type BaseContract, MaxUint256 } from "ethers";
import type { Order } from "../../../src/records/Order.ts";
import { type OrderStage, orderOf } from "./orderStage.ts";
import type { TestToken } from "./tokens.ts";

/** What the orders of these tests ask for, in a token's smallest unit. */
export const ORDER_AMOUNT = 1_000_000n;

/** Gives the depositor twice the amount and approves the receiver for ever. */
export async function fund(stage: OrderStage, token: BaseContract): Promise<void> {
  const asToken = token as TestToken;
  await asToken.mint(stage.depositor.address, 2n * ORDER_AMOUNT);
  await asToken.connect(stage.depositor).approve(stage.receiver, MaxUint256);
}

export async function orderIn(stage: OrderStage, token: BaseContract, salt = 1n): Promise<Order> {
  return orderOf(stage, ORDER_AMOUNT, (await token.getAddress()).toLowerCase(), salt);
}

/** Of the depositor, the depository, and the receiver, which must never have anything. */
export async function balances({ depositor, depository, receiver }: OrderStage, token: BaseContract) {
  return Promise.all([depositor, depository, receiver].map((each) => (token as TestToken).balanceOf(each)));
}
