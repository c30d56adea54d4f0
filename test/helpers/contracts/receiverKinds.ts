import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { type Addressable, type BaseContract, type ContractTransactionResponse, ZeroAddress } from "ethers";
import type { PinnedReceiver } from "../../../typechain-types/index.ts";
import {
  AMOUNT,
  type Configuration,
  deployManagedPermitStage,
  deployManagedStage,
  MAX_UINT128,
  type ManagedStage,
  type ManagedTerms,
  managedTerms,
  managedTermsV2,
  nextSolver,
} from "./managedStage.ts";
import type { Account, Witness } from "./permitStage.ts";
import { Binding, DESTINATION_CHAIN_ID, receiverStageOf, signTerms, solver } from "./receiverStage.ts";
import { padded } from "./signedRecord.ts";
import type { TestToken } from "./tokens.ts";

/** Functions that a suite over both kinds of receivers calls by type. */
export interface RecordReceiver extends BaseContract {
  isConsumed(requestId: string): Promise<boolean>;
  depositorOf(requestId: string): Promise<string>;
}

export interface RecordStage<Receiver extends RecordReceiver = RecordReceiver> {
  readonly ethers: HardhatEthers;
  readonly receiver: Receiver;
  readonly depositor: Account;
  readonly stranger: Account;
  readonly recipient: string;
}

/** Terms that the solver signed. */
export interface RecordTerms {
  readonly requestId: string;
  /** Arguments of the receiver's functions between the amount and the depositor's signature. */
  readonly signedTerms: readonly unknown[];
  /** The payment as `depositAll` takes it. */
  readonly payment: Readonly<Record<string, unknown>>;
  /** Fields that a depositor's signature for this payment covers. */
  readonly witness: Witness;
}

export interface TermsOptions {
  /** Native currency by default. */
  readonly currency?: string | Addressable;
  readonly amount?: bigint;
  readonly requestNumber?: number;
  /** The record's version, which only a managed receiver distinguishes. */
  readonly version?: 1 | 2;
}

export interface DeployOptions {
  readonly binding?: number;
  readonly nativePayee?: string;
  /** Deploys the variant with every way to pay. */
  readonly permits?: boolean;
}

/** A payment of `AMOUNT` that the receiver accepts; the depositor has twice the amount and has approved no spender. */
export interface TokenDeposit extends RecordStage, Omit<RecordTerms, "payment"> {
  readonly token: TestToken;
}

export interface ReceiverKind {
  readonly name: "PinnedReceiver" | "ManagedReceiver";
  readonly nativeFunction: "deposit" | "depositNative";
  deploy(ethers: HardhatEthers, options?: DeployOptions): Promise<RecordStage>;
  /** Gives the depositor twice the amount of a token that the receiver accepts. */
  fund(stage: RecordStage, token: TestToken): Promise<void>;
  sign(stage: RecordStage, options?: TermsOptions): Promise<RecordTerms>;
  /** The same payment under terms that the solver did not sign. */
  forged(deposit: TokenDeposit): Promise<TokenDeposit>;
  readonly errors: { readonly forged: string; readonly foreignCaller: string };
}

async function witnessOf(stage: RecordStage, requestId: string): Promise<Witness> {
  const destinationUser = padded(stage.recipient);
  const receiver = await stage.receiver.getAddress();
  return { requestId, destinationChainId: DESTINATION_CHAIN_ID, destinationUser, receiver };
}

const pinned: ReceiverKind = {
  name: "PinnedReceiver",
  nativeFunction: "deposit",
  deploy: (ethers, { binding, nativePayee, permits = false } = {}) =>
    receiverStageOf(ethers, permits ? "PinnedReceiverPermits" : "PinnedReceiver", nativePayee, binding),
  fund: async ({ depositor }, token) => void (await token.mint(depositor.address, 2n * AMOUNT)),
  sign: async (stage, { currency = ZeroAddress, amount = AMOUNT, requestNumber } = {}) => {
    const address = typeof currency === "string" ? currency : await currency.getAddress();
    const terms = await signTerms(stage as RecordStage<PinnedReceiver>, amount, address, requestNumber);
    const { requestId, destinationUser, signature } = terms;
    return {
      requestId,
      signedTerms: [requestId, DESTINATION_CHAIN_ID, destinationUser, signature],
      payment: { currency: address, amount, destinationChainId: DESTINATION_CHAIN_ID, ...terms },
      witness: await witnessOf(stage, requestId),
    };
  },
  forged: async (deposit) => {
    const [requestId, chainId, , signature] = deposit.signedTerms;
    const destinationUser = padded(deposit.stranger.address);
    return { ...deposit, signedTerms: [requestId, chainId, destinationUser, signature] };
  },
  errors: { forged: "RecordNotSignedBySolver", foreignCaller: "RecordNotSignedBySolver" },
};

const managed: ReceiverKind = {
  name: "ManagedReceiver",
  nativeFunction: "depositNative",
  deploy: (ethers, { binding = Binding.Receiver, nativePayee = solver.address, permits = false } = {}) => {
    const solvers = [{ solver: solver.address, nativePayee, usesErc1271: false }];
    const deploy = permits ? deployManagedPermitStage : deployManagedStage;
    return deploy(ethers, { binding, solvers });
  },
  fund: async (stage, token) => {
    const limits = { currency: await token.getAddress(), minimum: 0n, maximum: MAX_UINT128 };
    await (stage as ManagedStage).receiver.setCurrencyLimits(limits);
    await token.mint(stage.depositor.address, 2n * AMOUNT);
  },
  sign: async (stage, { version = 1, ...fields } = {}) => {
    const termsOf = version === 1 ? managedTerms : managedTermsV2;
    const { record, signature, coSignature } = await termsOf(stage as ManagedStage, fields);
    const { requestId } = record;
    return {
      requestId,
      signedTerms: [record, signature, coSignature],
      payment: { record, signature, coSignature },
      witness: await witnessOf(stage, requestId),
    };
  },
  forged: async (deposit) => {
    const fields = { currency: deposit.token, signer: nextSolver };
    return withTerms(deposit, await managedTerms(deposit as TokenDeposit & ManagedStage, fields));
  },
  errors: { forged: "SignerNotSolver", foreignCaller: "OriginUserMismatch" },
};

export const receiverKinds: readonly ReceiverKind[] = [pinned, managed];

/** A payment in a token to a new receiver. */
export async function prepare(
  kind: ReceiverKind,
  ethers: HardhatEthers,
  token: TestToken,
  options?: DeployOptions,
): Promise<TokenDeposit> {
  const stage = await kind.deploy(ethers, options);
  await kind.fund(stage, token);
  return { ...stage, token, ...(await kind.sign(stage, { currency: token })) };
}

/** The same payment for request 2. */
export async function another(kind: ReceiverKind, deposit: TokenDeposit): Promise<TokenDeposit> {
  return { ...deposit, ...(await kind.sign(deposit, { currency: deposit.token, requestNumber: 2 })) };
}

/** A payment at a managed receiver, whose terms a test may replace. */
export type ManagedDeposit = Awaited<ReturnType<typeof prepareManaged>>;

/** The same payment under other terms. */
export function withTerms<Deposit extends TokenDeposit>(
  deposit: Deposit,
  terms: ManagedTerms,
): Deposit & { readonly terms: ManagedTerms } {
  const { record, signature, coSignature } = terms;
  return { ...deposit, requestId: record.requestId, terms, signedTerms: [record, signature, coSignature] };
}

/** A payment at a receiver with every policy on and every way to pay. */
export async function prepareManaged(
  ethers: HardhatEthers,
  token: TestToken,
  overrides: Partial<Configuration> = {},
) {
  const stage = await deployManagedPermitStage(ethers, overrides);
  await managed.fund(stage, token);
  const terms = await managedTerms(stage, { currency: token });
  const witness = await witnessOf(stage, terms.record.requestId);
  return withTerms({ ...stage, token, requestId: "", signedTerms: [], witness }, terms);
}

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

/** Tokens of the depositor, the solver and the receiver. */
export async function balancesOf({ depositor, receiver, token }: TokenDeposit): Promise<bigint[]> {
  const holders = [depositor.address, solver.address, await receiver.getAddress()];
  return Promise.all(holders.map((holder) => token.balanceOf(holder)));
}
