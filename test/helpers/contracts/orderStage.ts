import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { type Addressable, type ContractTransactionResponse, ZeroAddress } from "ethers";
import type { Hex } from "viem";
import type { Order, OrderInput, OrderOutput } from "../../../src/records/Order.ts";
import type { OrderReceiver, RelayDepository } from "../../../typechain-types/index.ts";
import { refundPayee, solver } from "./receiverStage.ts";
import { orderStruct, signOrder } from "./signedOrder.ts";
import { testWallet } from "./signedRecord.ts";

/** Protocol name of the chain of the stage's receiver. */
export const CHAIN_NAME = "base";
export const DESTINATION_NAME = "arbitrum";

/** A signing key other than the solver's. */
export const forger = testWallet(18);

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

/** Deploys a receiver for `solver` and a depository, which another account replaces where it is given. */
export async function deployOrderStage(
  ethers: HardhatEthers,
  depositoryAddress?: string | Addressable,
): Promise<OrderStage> {
  const [owner, depositor, stranger, recipient] = await ethers.getSigners();
  const block = await ethers.provider.getBlock("latest");
  if (!owner || !depositor || !stranger || !recipient || !block) throw new Error("The chain is too small.");
  const depository = await ethers.deployContract("RelayDepository", [owner.address, owner.address]);
  const { chainId } = await ethers.provider.getNetwork();
  const receiver = await ethers.deployContract("OrderReceiver", [
    solver.address,
    depositoryAddress ?? depository,
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
export function inputOf(stage: OrderStage, amount: bigint, currency: string = ZeroAddress): OrderInput {
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

/** Replacements of the valid arguments of a deposit. */
export interface DepositOptions {
  readonly signature?: string;
  readonly inputIndex?: number;
  readonly from?: Account;
  readonly gasLimit?: bigint;
}

export async function depositNative(
  stage: OrderStage,
  order: Order,
  value: bigint,
  { signature = signOrder(solver, order), inputIndex = 0, from, ...gas }: DepositOptions = {},
): Promise<ContractTransactionResponse> {
  return stage.receiver
    .connect(from ?? stage.depositor)
    .deposit(orderStruct(order), inputIndex, signature, { value, ...gas });
}

export async function depositErc20(
  stage: OrderStage,
  order: Order,
  token: string | Addressable,
  amount: bigint,
  { signature = signOrder(solver, order), inputIndex = 0, from, ...gas }: DepositOptions = {},
): Promise<ContractTransactionResponse> {
  return stage.receiver
    .connect(from ?? stage.depositor)
    .depositErc20(token, amount, orderStruct(order), inputIndex, signature, gas);
}
