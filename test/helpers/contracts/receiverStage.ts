import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import {
  type Addressable,
  type BaseContract,
  type ContractTransactionResponse,
  concat,
  dataSlice,
  Signature,
  type Signer,
  toBeHex,
  ZeroAddress,
} from "ethers";
import type { RecordReceiver } from "../../../typechain-types/index.ts";
import { padded, type RecordFields, requestIdOf, signRecord, testWallet } from "./signedRecord.ts";

/** Values of the contract's `Binding`: a record names the receiver as `originUser`. */
export const Binding = { Receiver: 0 } as const;

export const DESTINATION_CHAIN_ID = 8453n;

/** Amount of a payment by default, in the currency's smallest unit. */
export const AMOUNT = 1_000_000n;

/** Keys of the solver and the integrator; no other account of the local chain uses them. */
export const solver = testWallet(19);
export const coSigner = testWallet(18);

/** Account that receives money without a request. Not an account of the local chain, so its balance starts at zero. */
export const refundPayee = testWallet(40).address;

export type Account = Signer & { readonly address: string };

/** A receiver of records and the participants. */
export interface ReceiverStage<Receiver extends RecordReceiver = RecordReceiver> {
  readonly ethers: HardhatEthers;
  readonly receiver: Receiver;
  readonly owner: Account;
  readonly depositor: Account;
  readonly stranger: Account;
  readonly recipient: string;
}

/** Deploys a receiver by `deploy`, which takes the owner's address. */
export async function receiverStageOf<Receiver extends RecordReceiver>(
  ethers: HardhatEthers,
  deploy: (owner: string) => Promise<Receiver>,
): Promise<ReceiverStage<Receiver>> {
  const [owner, depositor, recipient, stranger] = await ethers.getSigners();
  if (!owner || !depositor || !recipient || !stranger) {
    throw new Error("The local chain has too few accounts.");
  }
  const receiver = await deploy(owner.address);
  return { ethers, receiver, owner, depositor, stranger, recipient: recipient.address };
}

/** Deploys a receiver for `solver`, which is paid itself. */
export async function deployPinnedStage(ethers: HardhatEthers) {
  const args: [string, string, number, string] = [
    solver.address,
    solver.address,
    Binding.Receiver,
    refundPayee,
  ];
  return receiverStageOf(ethers, () => ethers.deployContract("PinnedReceiver", args));
}

/** A record that the solver signed, and the whole signature of its deposit. */
export interface SignedTerms {
  readonly record: RecordFields;
  /** The solver's, followed by the co-signature where the receiver has a co-signer. */
  readonly signature: string;
}

export interface TermsFields {
  /** Native currency by default. */
  readonly currency?: string | Addressable;
  readonly amount?: bigint;
  readonly requestNumber?: number;
  /** Other fields of the record, as words. */
  readonly record?: Partial<RecordFields>;
  /** The co-signed deadline, in seconds after the latest block. */
  readonly lifetime?: bigint;
}

/** The 96 bytes of a co-signature, over typed data that ethers hashes independently of the contract. */
async function coSign(
  { ethers, receiver }: ReceiverStage,
  requestId: string,
  lifetime = 3_600n,
): Promise<string> {
  const latest = await ethers.provider.getBlock("latest");
  if (latest === null) throw new Error("The local chain has no blocks.");
  const deadline = BigInt(latest.timestamp) + lifetime;
  const { chainId } = await ethers.provider.getNetwork();
  const verifyingContract = await receiver.getAddress();
  const domain = { name: "Waybill", version: "1", chainId, verifyingContract };
  const members = [
    { name: "requestId", type: "bytes32" },
    { name: "deadline", type: "uint256" },
  ];
  const signed = await coSigner.signTypedData(domain, { Expiry: members }, { requestId, deadline });
  return concat([toBeHex(deadline, 32), Signature.from(signed).compactSerialized]);
}

/** Terms that the stage's receiver accepts, unless the fields say otherwise. */
export async function signTerms(stage: ReceiverStage, fields: TermsFields = {}): Promise<SignedTerms> {
  const { ethers, receiver } = stage;
  const { currency = ZeroAddress, amount = AMOUNT, requestNumber = 1 } = fields;
  const { chainId } = await ethers.provider.getNetwork();
  const record = {
    requestId: requestIdOf(requestNumber),
    originChainId: chainId,
    originUser: padded(await receiver.getAddress()),
    originCurrency: padded(typeof currency === "string" ? currency : await currency.getAddress()),
    originAmount: amount,
    destinationChainId: DESTINATION_CHAIN_ID,
    destinationUser: padded(stage.recipient),
    ...fields.record,
  };
  const parts = [signRecord(solver, record)];
  const abi: BaseContract["interface"] = receiver.interface;
  if (abi.hasFunction("coSigner")) {
    parts.push(await coSign(stage, record.requestId, fields.lifetime));
  }
  return { record, signature: concat(parts) };
}

/** Arguments of every deposit function between the amount and the depositor's signature. */
export function signedArgs({ record, signature }: SignedTerms): [string, bigint, string, string] {
  return [record.requestId, record.destinationChainId, record.destinationUser, signature];
}

/** Pays the record's amount in native currency. */
export async function deposit(
  { receiver, depositor }: ReceiverStage,
  terms: SignedTerms,
): Promise<ContractTransactionResponse> {
  return receiver.connect(depositor).deposit(...signedArgs(terms), { value: terms.record.originAmount });
}

/** Pays the record's amount of its token. */
export async function depositErc20(
  { receiver, depositor }: ReceiverStage,
  terms: SignedTerms,
): Promise<ContractTransactionResponse> {
  const { originAmount, originCurrency } = terms.record;
  const token = dataSlice(originCurrency, -20);
  return receiver.connect(depositor).depositErc20(token, originAmount, ...signedArgs(terms));
}
