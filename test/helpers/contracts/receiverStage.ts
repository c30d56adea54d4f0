import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import type { Addressable, ContractTransactionResponse, Signer } from "ethers";
import { ZeroAddress } from "ethers";
import type { PinnedReceiver } from "../../../typechain-types/index.ts";
import { padded, requestIdOf, signRecord, testWallet } from "./signedRecord.ts";

/** Values of the contract's `Binding`: the account that a record names as `originUser`. */
export const Binding = { Receiver: 0, Caller: 1 } as const;

export const DESTINATION_CHAIN_ID = 8453n;

/** The solver's key; no other account of the local chain uses it. */
export const solver = testWallet(19);

/** Account that receives money without a request. Not an account of the local chain, so its balance starts at zero. */
export const refundPayee = testWallet(40).address;

export interface ReceiverStage {
  readonly ethers: HardhatEthers;
  readonly receiver: PinnedReceiver;
  readonly depositor: Signer & { readonly address: string };
  readonly recipient: string;
}

/** Deploys a receiver for `solver` that forwards native money to `nativePayee`. */
export async function receiverStageOf<Receiver extends PinnedReceiver>(
  ethers: HardhatEthers,
  name: "PinnedReceiver" | "PinnedReceiverPermits",
  nativePayee: string | Addressable = solver.address,
  binding: number = Binding.Receiver,
) {
  const [, depositor, recipient, stranger] = await ethers.getSigners();
  if (!depositor || !recipient || !stranger) throw new Error("The local chain has too few accounts.");
  const args = [solver.address, nativePayee, binding, refundPayee] as const;
  const receiver = (await ethers.deployContract(name as "PinnedReceiver", [...args])) as Receiver;
  return { ethers, receiver, depositor, recipient: recipient.address, stranger };
}

export async function deployReceiverStage(
  ethers: HardhatEthers,
  nativePayee?: string | Addressable,
  binding?: number,
): Promise<ReceiverStage> {
  return receiverStageOf(ethers, "PinnedReceiver", nativePayee, binding);
}

export interface SignedTerms {
  readonly requestId: string;
  readonly destinationUser: string;
  readonly signature: string;
}

/** The solver's signature over a payment of `amount` in `currency` at the stage's receiver. */
export async function signTerms(
  stage: ReceiverStage,
  amount: bigint,
  currency: string | Addressable = ZeroAddress,
  requestNumber = 1,
): Promise<SignedTerms> {
  const { chainId } = await stage.ethers.provider.getNetwork();
  const isCaller = Number(await stage.receiver.binding()) === Binding.Caller;
  const requestId = requestIdOf(requestNumber);
  const signature = signRecord(solver, {
    requestId,
    originChainId: chainId,
    originUser: isCaller ? stage.depositor.address : await stage.receiver.getAddress(),
    originCurrency: typeof currency === "string" ? currency : await currency.getAddress(),
    originAmount: amount,
    destinationChainId: DESTINATION_CHAIN_ID,
    destinationUser: stage.recipient,
  });
  return { requestId, destinationUser: padded(stage.recipient), signature };
}

export async function depositNative(
  stage: ReceiverStage,
  terms: SignedTerms,
  value: bigint,
  overrides: { gasLimit?: bigint } = {},
): Promise<ContractTransactionResponse> {
  return stage.receiver
    .connect(stage.depositor)
    .deposit(terms.requestId, DESTINATION_CHAIN_ID, terms.destinationUser, terms.signature, {
      value,
      ...overrides,
    });
}
