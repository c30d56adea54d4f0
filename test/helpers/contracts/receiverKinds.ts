import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import type { BaseContract, ContractTransactionResponse } from "ethers";
import {
  AMOUNT,
  type Configuration,
  deployManagedPermitStage,
  deployManagedStage,
  MAX_UINT128,
  type ManagedStage,
  type ManagedTerms,
  managedTerms,
  nextSolver,
} from "./managedStage.ts";
import type { Account, Witness } from "./permitStage.ts";
import { Binding, DESTINATION_CHAIN_ID, refundPayee, signTerms, solver } from "./receiverStage.ts";
import { padded, requestIdOf } from "./signedRecord.ts";
import type { TestToken } from "./tokens.ts";

/** What a suite over several kinds of receivers uses of one. */
export interface RecordReceiver extends BaseContract {
  isConsumed(requestId: string): Promise<boolean>;
}

/** A payment of `AMOUNT` that the receiver accepts; the depositor has twice the amount and has approved no spender. */
export interface TokenDeposit<Receiver extends RecordReceiver = RecordReceiver, Terms = unknown> {
  readonly ethers: HardhatEthers;
  readonly receiver: Receiver;
  readonly depositor: Account;
  readonly stranger: Account;
  readonly token: TestToken;
  readonly requestId: string;
  readonly terms: Terms;
  /** Arguments of the receiver's functions between the amount and the depositor's signature. */
  readonly signedTerms: readonly unknown[];
  /** What a depositor's signature for this payment names. */
  readonly witness: Witness;
}

export interface ReceiverKind {
  readonly name: "PinnedReceiver" | "ManagedReceiver";
  prepare(ethers: HardhatEthers, token: TestToken, options?: PrepareOptions): Promise<TokenDeposit>;
  /** The same payment for request 2. */
  another(deposit: TokenDeposit): Promise<TokenDeposit>;
  /** The same payment under terms that the solver did not sign. */
  forged(deposit: TokenDeposit): Promise<TokenDeposit>;
  readonly errors: { readonly forged: string; readonly foreignCaller: string };
}

export interface PrepareOptions {
  readonly binding?: number;
  /** Deploys the variant with every way to pay. */
  readonly permits?: boolean;
}

type Stage = Pick<TokenDeposit, "ethers" | "receiver" | "depositor" | "stranger">;

async function witnessOf(stage: Stage, requestId: string, recipient: string): Promise<Witness> {
  const destinationUser = padded(recipient);
  const receiver = await stage.receiver.getAddress();
  return { requestId, destinationChainId: DESTINATION_CHAIN_ID, destinationUser, receiver };
}

async function pinnedDeposit(stage: Stage, token: TestToken, requestNumber = 1): Promise<TokenDeposit> {
  const [, , recipient] = await stage.ethers.getSigners();
  if (!recipient) throw new Error("The local chain has too few accounts.");
  const receiver = await stage.ethers.getContractAt("PinnedReceiver", stage.receiver);
  const signing = { ...stage, receiver, recipient: recipient.address };
  const terms = await signTerms(signing, AMOUNT, token, requestNumber);
  const { requestId, destinationUser, signature } = terms;
  const { ethers, depositor, stranger } = stage;
  return {
    ...{ ethers, receiver: stage.receiver, depositor, stranger, token, requestId, terms },
    signedTerms: [requestId, DESTINATION_CHAIN_ID, destinationUser, signature],
    witness: await witnessOf(stage, requestId, recipient.address),
  };
}

const pinned: ReceiverKind = {
  name: "PinnedReceiver",
  prepare: async (ethers, token, { binding = Binding.Receiver, permits = false } = {}) => {
    const [, depositor, , stranger] = await ethers.getSigners();
    if (!depositor || !stranger) throw new Error("The local chain has too few accounts.");
    const args = [solver.address, solver.address, binding, refundPayee] as const;
    const receiver = permits
      ? await ethers.deployContract("PinnedReceiverPermits", [...args])
      : await ethers.deployContract("PinnedReceiver", [...args]);
    await token.mint(depositor.address, 2n * AMOUNT);
    return pinnedDeposit({ ethers, receiver, depositor, stranger }, token);
  },
  another: async (deposit) => pinnedDeposit(deposit, deposit.token, 2),
  forged: async (deposit) => {
    const [requestId, chainId, , signature] = deposit.signedTerms;
    const destinationUser = padded(deposit.stranger.address);
    return { ...deposit, signedTerms: [requestId, chainId, destinationUser, signature] };
  },
  errors: { forged: "RecordNotSignedBySolver", foreignCaller: "RecordNotSignedBySolver" },
};

/** A payment at a managed receiver, whose terms a test may replace. */
export type ManagedDeposit = Awaited<ReturnType<typeof prepareManaged>>;

/** The same payment under other terms. */
export function withTerms(deposit: ManagedDeposit, terms: ManagedTerms): ManagedDeposit {
  const { record, signature, coSignature } = terms;
  return { ...deposit, requestId: record.requestId, terms, signedTerms: [record, signature, coSignature] };
}

/** A payment at a receiver with every policy on and every way to pay. */
export async function prepareManaged(
  ethers: HardhatEthers,
  token: TestToken,
  overrides: Partial<Configuration> = {},
) {
  return managedDeposit(await deployManagedPermitStage(ethers, overrides), token);
}

async function managedDeposit<Stage extends ManagedStage>(stage: Stage, token: TestToken) {
  const currency = await token.getAddress();
  await stage.receiver.setCurrencyLimits({ currency, minimum: 0n, maximum: MAX_UINT128 });
  await token.mint(stage.depositor.address, 2n * AMOUNT);
  const terms = await managedTerms(stage, { currency: token });
  const { record, signature, coSignature } = terms;
  const { requestId } = record;
  return {
    ...{ ...stage, token, requestId, terms, signedTerms: [record, signature, coSignature] as const },
    witness: await witnessOf(stage, requestId, stage.recipient),
  };
}

const managed: ReceiverKind = {
  name: "ManagedReceiver",
  prepare: async (ethers, token, { binding = Binding.Receiver, permits = false } = {}) =>
    permits
      ? prepareManaged(ethers, token, { binding })
      : managedDeposit(await deployManagedStage(ethers, { binding }), token),
  another: async (deposit) => {
    const asManaged = deposit as ManagedDeposit;
    const terms = await managedTerms(asManaged, { currency: deposit.token, requestNumber: 2 });
    const witness = { ...deposit.witness, requestId: requestIdOf(2) };
    return { ...withTerms(asManaged, terms), witness };
  },
  forged: async (deposit) => {
    const asManaged = deposit as ManagedDeposit;
    const terms = await managedTerms(asManaged, { currency: deposit.token, signer: nextSolver });
    return withTerms(asManaged, terms);
  },
  errors: { forged: "SignerNotSolver", foreignCaller: "OriginUserMismatch" },
};

export const receiverKinds: readonly ReceiverKind[] = [pinned, managed];

/** Sender, stated amount and gas of a deposit; the depositor and the amount of the terms by default. */
export interface Sending {
  readonly caller?: Account;
  readonly amount?: bigint;
  readonly gasLimit?: bigint;
}

/** Calls a deposit function of the receiver, with the depositor's signature where it takes one. */
export async function pay(
  { receiver, depositor, token, signedTerms }: TokenDeposit,
  functionName: string,
  signed: unknown,
  { caller = depositor, amount = AMOUNT, gasLimit }: Sending = {},
): Promise<ContractTransactionResponse> {
  const args = [await token.getAddress(), amount, ...signedTerms, ...(signed === undefined ? [] : [signed])];
  const overrides = gasLimit === undefined ? {} : { gasLimit };
  const connected: BaseContract = receiver.connect(caller);
  return connected.getFunction(functionName)(...args, overrides);
}

/** What the depositor, the solver and the receiver have. */
export async function balancesOf({ depositor, receiver, token }: TokenDeposit): Promise<bigint[]> {
  const holders = [depositor.address, solver.address, await receiver.getAddress()];
  return Promise.all(holders.map((holder) => token.balanceOf(holder)));
}
