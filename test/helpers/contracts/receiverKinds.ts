import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import type { Addressable, ContractTransactionResponse } from "ethers";
import { type Configuration, deployManagedStage, list, type ManagedStage } from "./managedStage.ts";
import type { Witness } from "./ownerSignatures.ts";
import {
  type Account,
  AMOUNT,
  Binding,
  deployPinnedStage,
  type ReceiverStage,
  type SignedTerms,
  signedArgs,
  signTerms,
  solver,
} from "./receiverStage.ts";
import { padded } from "./signedRecord.ts";
import type { TestToken } from "./tokens.ts";

export interface DeployOptions {
  readonly binding?: number;
  readonly nativePayee?: string;
}

/** A receiver of records. Both kinds have the same deposit functions; what differs is here. */
export interface ReceiverKind {
  readonly name: "PinnedReceiver" | "ManagedReceiver";
  deploy(ethers: HardhatEthers, options?: DeployOptions): Promise<ReceiverStage>;
  /** Gives the depositor twice the amount of a token that the receiver accepts. */
  fund(stage: ReceiverStage, token: TestToken): Promise<void>;
  /** Name and arguments of the error for a payment that differs from the signed record. */
  readonly forged: { readonly error: string; readonly args: readonly unknown[] };
}

const isOther = (signer: string) => signer !== solver.address;

const pinned: ReceiverKind = {
  name: "PinnedReceiver",
  deploy: async (ethers, { binding, nativePayee } = {}) => deployPinnedStage(ethers, nativePayee, binding),
  fund: async ({ depositor }, token) => void (await token.mint(depositor.address, 2n * AMOUNT)),
  forged: { error: "RecordNotSignedBySolver", args: [isOther, solver.address] },
};

const managed: ReceiverKind = {
  name: "ManagedReceiver",
  deploy: async (ethers, { binding = Binding.Receiver, nativePayee = solver.address } = {}) => {
    const solvers = [{ solver: solver.address, nativePayee, usesErc1271: false }];
    return deployManagedStage(ethers, { binding, solvers });
  },
  fund: async (stage, token) => list(stage as ManagedStage, token),
  forged: { error: "SignerNotSolver", args: [isOther] },
};

export const receiverKinds: readonly ReceiverKind[] = [pinned, managed];

/** A payment of `AMOUNT` that the receiver accepts; the depositor has twice the amount and has approved no spender. */
export interface TokenDeposit<Stage extends ReceiverStage = ReceiverStage> {
  readonly stage: Stage;
  readonly token: TestToken;
  readonly terms: SignedTerms;
}

/** A payment in a token to a new receiver. */
export async function prepare(
  kind: ReceiverKind,
  ethers: HardhatEthers,
  token: TestToken,
  options?: DeployOptions,
): Promise<TokenDeposit> {
  const stage = await kind.deploy(ethers, options);
  await kind.fund(stage, token);
  return { stage, token, terms: await signTerms(stage, { currency: token }) };
}

/** A payment in a token to a new receiver with every policy on. */
export async function prepareManaged(
  ethers: HardhatEthers,
  token: TestToken,
  overrides: Partial<Configuration> = {},
): Promise<TokenDeposit<ManagedStage>> {
  const stage = await deployManagedStage(ethers, overrides);
  await list(stage, token);
  return { stage, token, terms: await signTerms(stage, { currency: token }) };
}

/** The same payment for request 2. */
export async function another(deposit: TokenDeposit): Promise<TokenDeposit> {
  const terms = await signTerms(deposit.stage, { currency: deposit.token, requestNumber: 2 });
  return { ...deposit, terms };
}

/** The same payment to a recipient that the solver did not sign. */
export function forged(deposit: TokenDeposit): TokenDeposit {
  const { record, signature } = deposit.terms;
  const destinationUser = padded(deposit.stage.stranger.address);
  return { ...deposit, terms: { record: { ...record, destinationUser }, signature } };
}

/** Fields that a depositor's signature for a payment covers. */
export async function witnessOf({ stage, terms: { record } }: Omit<TokenDeposit, "token">): Promise<Witness> {
  const { requestId, destinationChainId, destinationUser } = record;
  return { requestId, destinationChainId, destinationUser, receiver: await stage.receiver.getAddress() };
}

/** Sender, stated amount and gas of a deposit; the depositor and the amount of the terms by default. */
export interface Sending {
  readonly caller?: Account;
  readonly amount?: bigint;
  readonly gasLimit?: bigint;
}

/** A deposit function for tokens. */
export type TokenFunction =
  | "depositErc20"
  | "depositErc20WithPermit"
  | "depositErc20WithPermit2"
  | "depositErc20WithAuthorization";

/** Calls a deposit function of the receiver, with the depositor's signature where it takes one. */
export async function pay(
  { stage, token, terms }: TokenDeposit,
  functionName: TokenFunction,
  signed: unknown,
  { caller = stage.depositor, amount = AMOUNT, ...overrides }: Sending = {},
): Promise<ContractTransactionResponse> {
  const args = [await token.getAddress(), amount, ...signedArgs(terms)];
  if (signed !== undefined) args.push(signed as string);
  const call = stage.receiver.connect(caller).getFunction(functionName as string);
  return call(...args, overrides);
}

/** Tokens of the depositor, the solver and the receiver. */
export async function balancesOf({ stage, token }: TokenDeposit): Promise<bigint[]> {
  const holders: (string | Addressable)[] = [stage.depositor.address, solver.address, stage.receiver];
  return Promise.all(holders.map((holder) => token.balanceOf(holder)));
}
