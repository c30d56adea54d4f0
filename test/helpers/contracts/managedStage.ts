import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { type Addressable, type BaseContract, type ErrorDescription, MaxUint256, ZeroAddress } from "ethers";
import type { ManagedReceiver } from "../../../typechain-types/index.ts";
import type { IManagedReceiver } from "../../../typechain-types/receiver/ManagedReceiver.ts";
import {
  AMOUNT,
  Binding,
  coSigner,
  DESTINATION_CHAIN_ID,
  type ReceiverStage,
  receiverStageOf,
  type SignedTerms,
  solver,
} from "./receiverStage.ts";
import { padded } from "./signedRecord.ts";
import type { TestToken } from "./tokens.ts";

export type Configuration = IManagedReceiver.ConfigurationStruct;
export type ManagedStage = ReceiverStage<ManagedReceiver>;

const MAX_UINT128 = 2n ** 128n - 1n;
export const ACTIVATION_DELAY = 86_400n;

/** Every policy on, native currency of any amount accepted. */
export function managedConfiguration(owner: string, overrides: Partial<Configuration> = {}): Configuration {
  return {
    owner,
    binding: Binding.Receiver,
    activationDelay: ACTIVATION_DELAY,
    coSigner: coSigner.address,
    isRecipientListOpen: false,
    solvers: [{ solver: solver.address, nativePayee: solver.address, usesErc1271: false }],
    limits: [{ currency: ZeroAddress, minimum: 0n, maximum: MAX_UINT128 }],
    ...overrides,
  };
}

/** A receiver with every policy on, that accepts native currency of any amount for one recipient. */
export async function deployManagedStage(
  ethers: HardhatEthers,
  overrides: Partial<Configuration> = {},
): Promise<ManagedStage> {
  const stage = await receiverStageOf(ethers, (owner) =>
    ethers.deployContract("ManagedReceiver", [managedConfiguration(owner, overrides)]),
  );
  const allowed = { chainId: DESTINATION_CHAIN_ID, account: padded(stage.recipient) };
  await stage.receiver.setRecipients([allowed], true);
  return stage;
}

/** Lists a token and gives the depositor twice the amount. */
export async function list({ receiver, depositor }: ManagedStage, token: BaseContract): Promise<void> {
  const currency = await token.getAddress();
  await receiver.setCurrencyLimits({ currency, minimum: 0n, maximum: MAX_UINT128 });
  await (token as TestToken).mint(depositor.address, 2n * AMOUNT);
}

/** Lists a token, funds the depositor with twice the amount and gives the receiver an infinite allowance. */
export async function accept(stage: ManagedStage, token: BaseContract): Promise<void> {
  await list(stage, token);
  await (token as TestToken).connect(stage.depositor).approve(stage.receiver, MaxUint256);
}

export interface LensPayment {
  readonly depositor?: string | Addressable;
  readonly currency?: string | Addressable;
  readonly amount?: bigint;
}

/** The reasons the lens gives, in its order. */
export async function reasonsOf(
  { ethers, receiver, depositor }: ManagedStage,
  { record, signature }: SignedTerms,
  payment: LensPayment = {},
): Promise<ErrorDescription[]> {
  const lens = await ethers.deployContract("ManagedReceiverLens");
  const whole = { depositor, currency: ZeroAddress, amount: AMOUNT, ...payment };
  const reasons = await lens.validate(receiver, whole, record, signature);
  return reasons.map((reason) => {
    const parsed = lens.interface.parseError(reason) ?? receiver.interface.parseError(reason);
    if (parsed === null) throw new Error(`Neither the lens nor the receiver has an error ${reason}.`);
    return parsed;
  });
}

/** The names of the reasons the lens gives, in its order. */
export async function reasonNames(...given: Parameters<typeof reasonsOf>): Promise<string[]> {
  return (await reasonsOf(...given)).map(({ name }) => name);
}
