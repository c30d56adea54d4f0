import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { ZeroAddress } from "ethers";
import type { Hex } from "viem";
import type { Order, OrderInput, OrderOutput } from "../../../src/records/Order.ts";
import type { OrderReceiver, RelayDepository } from "../../../typechain-types/index.ts";
import { refundPayee, solver } from "./receiverStage.ts";

/** Protocol name of the chain of the stage's receiver. */
const CHAIN_NAME = "base";
const DESTINATION_NAME = "arbitrum";

type Account = Awaited<ReturnType<HardhatEthers["getSigners"]>>[number];

export interface OrderStage {
  readonly ethers: HardhatEthers;
  readonly receiver: OrderReceiver;
  readonly depository: RelayDepository;
  readonly depositor: Account;
  readonly stranger: Account;
  readonly recipient: Hex;
  /** Default deadline of this stage's orders: the last second of a payment. */
  readonly deadline: number;
}

/** Deploys a receiver for `solver` and its depository. */
export async function deployOrderStage(ethers: HardhatEthers): Promise<OrderStage> {
  const [owner, depositor, stranger, recipient] = await ethers.getSigners();
  const block = await ethers.provider.getBlock("latest");
  if (!owner || !depositor || !stranger || !recipient || !block) throw new Error("The chain is too small.");
  const depository = await ethers.deployContract("RelayDepository", [owner.address, owner.address]);
  const { chainId } = await ethers.provider.getNetwork();
  const receiver = await ethers.deployContract("OrderReceiver", [
    solver.address,
    depository,
    CHAIN_NAME,
    chainId,
    refundPayee,
  ]);
  return {
    ethers,
    receiver,
    depository,
    depositor,
    stranger,
    recipient: recipient.address as Hex,
    deadline: block.timestamp + 3_600,
  };
}

/** Builds an order's input in `currency`, with one refund on this chain and one on the other. */
function inputOf(stage: OrderStage, amount: bigint, currency: string = ZeroAddress): OrderInput {
  const refund = {
    chainId: CHAIN_NAME,
    recipient: stage.depositor.address as Hex,
    currency: currency as Hex,
    minimumAmount: 0n,
    deadline: stage.deadline,
    extraData: "0x",
  } as const;
  return {
    payment: { chainId: CHAIN_NAME, currency: currency as Hex, amount, weight: 1n },
    refunds: [refund, { ...refund, chainId: DESTINATION_NAME }],
  };
}

function outputOf(stage: OrderStage, amount: bigint): OrderOutput {
  return {
    chainId: DESTINATION_NAME,
    payments: [
      {
        recipient: stage.recipient,
        currency: ZeroAddress as Hex,
        minimumAmount: amount - amount / 100n,
        expectedAmount: amount,
      },
    ],
    calls: [],
    deadline: stage.deadline,
    extraData: `0x${"00".repeat(12)}${"b9".repeat(20)}`,
  };
}

/** Builds an order in the service's form: one input, two refunds, one payment, no calls and no fees. */
export function orderOf(stage: OrderStage, amount: bigint, currency: string = ZeroAddress, salt = 1n): Order {
  return {
    version: "v1",
    solverChainId: CHAIN_NAME,
    solver: solver.address as Hex,
    salt,
    inputs: [inputOf(stage, amount, currency)],
    output: outputOf(stage, amount),
    fees: [],
  };
}
