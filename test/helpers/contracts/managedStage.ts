import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import {
  AbiCoder,
  type Addressable,
  type BaseContract,
  type ContractTransactionResponse,
  type ErrorDescription,
  getBytes,
  type HDNodeWallet,
  keccak256,
  MaxUint256,
  Signature,
  type Signer,
  ZeroAddress,
} from "ethers";
import type { ManagedReceiver, ManagedReceiverPermits } from "../../../typechain-types/index.ts";
import type { IManagedReceiver } from "../../../typechain-types/receiver/ManagedReceiver.ts";
import { Binding, DESTINATION_CHAIN_ID, solver } from "./receiverStage.ts";
import { padded, requestIdOf, signRecord, testWallet } from "./signedRecord.ts";
import type { TestToken } from "./tokens.ts";

export type Configuration = IManagedReceiver.ConfigurationStruct;

export const AMOUNT = 1_000_000n;
export const MAX_UINT128 = 2n ** 128n - 1n;
export const ACTIVATION_DELAY = 86_400n;

/** The integrator's key, and a second solver's; no other account of the local chain uses them. */
export const coSigner = testWallet(18);
export const nextSolver = testWallet(17);

export type Account = Signer & { readonly address: string };

export interface ManagedStage {
  readonly ethers: HardhatEthers;
  readonly receiver: ManagedReceiver;
  readonly owner: Account;
  readonly depositor: Account;
  readonly stranger: Account;
  readonly recipient: string;
}

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

/** The participants, with one allowed recipient. */
export async function managedStageOf<Receiver extends ManagedReceiver>(
  ethers: HardhatEthers,
  deploy: (owner: string) => Promise<Receiver>,
): Promise<ManagedStage & { readonly receiver: Receiver }> {
  const [owner, depositor, recipient, stranger] = await ethers.getSigners();
  if (!owner || !depositor || !recipient || !stranger)
    throw new Error("The local chain has too few accounts.");
  const receiver = await deploy(owner.address);
  await receiver.setRecipients([{ chainId: DESTINATION_CHAIN_ID, account: padded(recipient.address) }], true);
  return { ethers, receiver, owner, depositor, stranger, recipient: recipient.address };
}

/** A receiver with every policy on, that accepts native currency of any amount for one recipient. */
export async function deployManagedStage(
  ethers: HardhatEthers,
  overrides: Partial<Configuration> = {},
): Promise<ManagedStage> {
  return managedStageOf(ethers, (owner) =>
    ethers.deployContract("ManagedReceiver", [managedConfiguration(owner, overrides)]),
  );
}

export interface ManagedPermitStage extends ManagedStage {
  readonly receiver: ManagedReceiverPermits;
}

/** A `managedStage` with every way to pay. */
export async function deployManagedPermitStage(
  ethers: HardhatEthers,
  overrides: Partial<Configuration> = {},
): Promise<ManagedPermitStage> {
  return managedStageOf(ethers, (owner) =>
    ethers.deployContract("ManagedReceiverPermits", [managedConfiguration(owner, overrides)]),
  );
}

/** Lists a token, funds the depositor with twice the amount and gives the receiver an infinite allowance. */
export async function accept(stage: ManagedStage, token: BaseContract): Promise<void> {
  const asToken = token as TestToken;
  await stage.receiver.setCurrencyLimits({ currency: token, minimum: 0n, maximum: MAX_UINT128 });
  await asToken.mint(stage.depositor.address, 2n * AMOUNT);
  await asToken.connect(stage.depositor).approve(stage.receiver, MaxUint256);
}

export interface CoSignature {
  readonly deadline: bigint;
  readonly r: string;
  readonly vs: string;
}

/** Arguments of a version 1 deposit, without the payment. */
export interface ManagedTerms {
  readonly record: {
    readonly requestId: string;
    readonly originChainId: bigint;
    readonly originUser: string;
    readonly originCurrency: string;
    readonly originAmount: bigint;
    readonly destinationChainId: bigint;
    readonly destinationUser: string;
  };
  readonly signature: string;
  readonly coSignature: CoSignature;
}

/** Arguments of a version 2 deposit, without the payment. */
export interface ManagedTermsV2 {
  readonly record: Omit<ManagedTerms["record"], "originAmount"> & { readonly destinationCurrency: string };
  readonly signature: string;
  readonly coSignature: CoSignature;
}

export interface TermsFields {
  readonly currency?: string | Addressable;
  readonly amount?: bigint;
  readonly requestNumber?: number;
  readonly recipient?: string;
  readonly destinationChainId?: bigint;
  readonly signer?: HDNodeWallet;
  readonly coSigner?: HDNodeWallet;
  /** A Unix time, given in seconds after the latest block. */
  readonly lifetime?: bigint;
}

async function addressOf(currency: string | Addressable): Promise<string> {
  return typeof currency === "string" ? currency : currency.getAddress();
}

async function originUserOf(stage: ManagedStage): Promise<string> {
  const isCaller = Number(await stage.receiver.binding()) === Binding.Caller;
  return isCaller ? stage.depositor.address : stage.receiver.getAddress();
}

/** Signs typed data by ethers, an implementation independent of the contract's hashing. */
export async function coSign(
  stage: ManagedStage,
  wallet: HDNodeWallet,
  requestId: string,
  { lifetime = 3_600n, amount }: { lifetime?: bigint; amount?: bigint } = {},
): Promise<CoSignature> {
  const latest = await stage.ethers.provider.getBlock("latest");
  if (latest === null) throw new Error("The local chain has no blocks.");
  const deadline = BigInt(latest.timestamp) + lifetime;
  const { chainId } = await stage.ethers.provider.getNetwork();
  const domain = {
    name: "Waybill",
    version: "1",
    chainId,
    verifyingContract: await stage.receiver.getAddress(),
  };
  const id = { name: "requestId", type: "bytes32" };
  const until = { name: "deadline", type: "uint256" };
  const signed =
    amount === undefined
      ? await wallet.signTypedData(domain, { Expiry: [id, until] }, { requestId, deadline })
      : await wallet.signTypedData(
          domain,
          { AmountExpiry: [id, { name: "amount", type: "uint256" }, until] },
          { requestId, amount, deadline },
        );
  const { r, yParityAndS } = Signature.from(signed);
  return { deadline, r, vs: yParityAndS };
}

/** Terms the stage's receiver accepts unless the fields say otherwise. */
export async function managedTerms(stage: ManagedStage, fields: TermsFields = {}): Promise<ManagedTerms> {
  const { chainId } = await stage.ethers.provider.getNetwork();
  const record = {
    requestId: requestIdOf(fields.requestNumber ?? 1),
    originChainId: chainId,
    originUser: await originUserOf(stage),
    originCurrency: await addressOf(fields.currency ?? ZeroAddress),
    originAmount: fields.amount ?? AMOUNT,
    destinationChainId: fields.destinationChainId ?? DESTINATION_CHAIN_ID,
    destinationUser: fields.recipient ?? stage.recipient,
  };
  return {
    record: {
      ...record,
      originUser: padded(record.originUser),
      originCurrency: padded(record.originCurrency),
      destinationUser: padded(record.destinationUser),
    },
    signature: signRecord(fields.signer ?? solver, record),
    coSignature: await coSign(
      stage,
      fields.coSigner ?? coSigner,
      record.requestId,
      fields.lifetime === undefined ? {} : { lifetime: fields.lifetime },
    ),
  };
}

/** The digest's inner hash, encoded with ethers from the words in the order of version 2. */
export function recordV2Hash(record: ManagedTermsV2["record"]): string {
  return keccak256(
    AbiCoder.defaultAbiCoder().encode(
      ["bytes32", "uint256", "bytes32", "bytes32", "uint256", "bytes32", "bytes32"],
      [
        record.requestId,
        record.originChainId,
        record.originUser,
        record.originCurrency,
        record.destinationChainId,
        record.destinationUser,
        record.destinationCurrency,
      ],
    ),
  );
}

/** Version 2 terms the stage's receiver accepts for exactly `fields.amount`, unless the fields say otherwise. */
export async function managedTermsV2(stage: ManagedStage, fields: TermsFields = {}): Promise<ManagedTermsV2> {
  const { record: v1 } = await managedTerms(stage, fields);
  const { originAmount, ...shared } = v1;
  const record = { ...shared, destinationCurrency: padded(ZeroAddress) };
  return {
    record,
    signature: (fields.signer ?? solver).signMessageSync(getBytes(recordV2Hash(record))),
    coSignature: await coSign(stage, fields.coSigner ?? coSigner, record.requestId, {
      amount: originAmount,
      ...(fields.lifetime === undefined ? {} : { lifetime: fields.lifetime }),
    }),
  };
}

export async function deposit(
  stage: ManagedStage,
  { record, signature, coSignature }: ManagedTerms,
  value: bigint = AMOUNT,
  overrides: { gasLimit?: bigint } = {},
): Promise<ContractTransactionResponse> {
  return stage.receiver
    .connect(stage.depositor)
    .depositNative(record, signature, coSignature, { value, ...overrides });
}

export async function depositErc20(
  stage: ManagedStage,
  { record, signature, coSignature }: ManagedTerms,
  token: string | Addressable,
  amount: bigint = AMOUNT,
  overrides: { gasLimit?: bigint } = {},
): Promise<ContractTransactionResponse> {
  return stage.receiver
    .connect(stage.depositor)
    .depositErc20(token, amount, record, signature, coSignature, overrides);
}

/** The reasons the lens gives, in its order. */
export async function reasonsOf(
  stage: ManagedStage,
  { record, signature, coSignature }: ManagedTerms,
  payment: { depositor?: string; currency?: string | Addressable; amount?: bigint } = {},
): Promise<ErrorDescription[]> {
  const lens = await stage.ethers.deployContract("ManagedReceiverLens");
  const reasons = await lens.validate(
    stage.receiver,
    { depositor: stage.depositor.address, currency: ZeroAddress, amount: AMOUNT, ...payment },
    record,
    signature,
    coSignature,
  );
  return reasons.map((reason) => {
    const parsed = stage.receiver.interface.parseError(reason);
    if (parsed === null) throw new Error(`The receiver has no error ${reason}.`);
    return parsed;
  });
}

/** The names of the reasons the lens gives, in its order. */
export async function reasonNames(...given: Parameters<typeof reasonsOf>): Promise<string[]> {
  return (await reasonsOf(...given)).map(({ name }) => name);
}
