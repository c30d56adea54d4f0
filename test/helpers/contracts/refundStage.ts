import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { type BaseContract, MaxUint256, type Signer } from "ethers";
import type { OrderReceiver, PinnedReceiver } from "../../../typechain-types/index.ts";
import { deployOrderStage, depositNative as depositOrder, orderOf } from "./orderStage.ts";
import { deployPinnedStage, deposit, signTerms } from "./receiverStage.ts";
import { orderIdOf } from "./signedOrder.ts";
import type { TestToken } from "./tokens.ts";

/** Receivers that forward refunds. */
export const forwarders = ["PinnedReceiver", "OrderReceiver"] as const;
export type Forwarder = (typeof forwarders)[number];

/** Native amount of the deposit. */
const DEPOSIT = 1_000_000n;

export interface RefundStage {
  readonly receiver: PinnedReceiver | OrderReceiver;
  readonly depositor: Signer & { readonly address: string };
  /** Account that refunds; not the depositor. */
  readonly refunder: Signer & { readonly address: string };
  /** RequestId or orderId of a deposit that was made. */
  readonly id: string;
}

/** A receiver at which the depositor has paid for `id`. */
export async function deployRefundStage(ethers: HardhatEthers, name: Forwarder): Promise<RefundStage> {
  const refunder = (await ethers.getSigners())[5];
  if (!refunder) throw new Error("The local chain has too few accounts.");
  if (name === "OrderReceiver") {
    const stage = await deployOrderStage(ethers);
    const order = orderOf(stage, DEPOSIT);
    await depositOrder(stage, order, DEPOSIT);
    return { receiver: stage.receiver, depositor: stage.depositor, refunder, id: orderIdOf(order) };
  }
  const stage = await deployPinnedStage(ethers);
  const terms = await signTerms(stage);
  await deposit(stage, terms);
  return { receiver: stage.receiver, depositor: stage.depositor, refunder, id: terms.record.requestId };
}

/** Gives the refunder `amount` and approves the receiver. */
export async function fundRefunder(stage: RefundStage, token: BaseContract, amount: bigint): Promise<void> {
  const asToken = token as TestToken;
  await asToken.mint(stage.refunder.address, amount);
  await asToken.connect(stage.refunder).approve(stage.receiver, MaxUint256);
}
