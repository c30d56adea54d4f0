import { type Address, getAddress, type Hex, hashStruct } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAccount } from "../internal/readAddress.ts";
import { readHex } from "../internal/readHex.ts";
import { readChainId, readObject } from "../internal/readParts.ts";
import { readUint256 } from "../internal/readUint256.ts";
import { recordWord, type SignatureRecord } from "./SignatureRecord.ts";
import {
  type TransferTerms,
  tokenPermissions,
  transferMembers,
  type WitnessTransfer,
  witnessTransfer,
} from "./witnessTransfer.ts";

const witnessMembers = [
  { name: "requestId", type: "bytes32" },
  { name: "destinationChainId", type: "uint256" },
  { name: "destinationUser", type: "bytes32" },
  { name: "receiver", type: "address" },
] as const;

const permit2Types = {
  DepositWitness: witnessMembers,
  PermitWitnessTransferFrom: [...transferMembers, { name: "witness", type: "DepositWitness" }],
  TokenPermissions: tokenPermissions,
} as const;

type DepositWitness = {
  readonly requestId: Hex;
  readonly destinationChainId: bigint;
  readonly destinationUser: Hex;
  readonly receiver: Address;
};

export type HashDepositWitnessParameters = {
  /** The record the solver signed. */
  record: SignatureRecord;
  /** The paid `PinnedReceiver` or `ManagedReceiver`. */
  receiver: Address;
};

export type HashDepositWitnessReturnType = Hex;

export type Permit2TypedDataParameters = HashDepositWitnessParameters & TransferTerms;

export type Permit2TypedDataReturnType = WitnessTransfer<typeof permit2Types, DepositWitness>;

/**
 * Hashes what an owner of tokens pays for: the EIP-712 struct hash of the `DepositWitness`. It is the nonce of the ERC-3009
 * authorization that `depositErc20WithAuthorization` takes, and the witness of the transfer that `depositErc20WithPermit2`
 * takes.
 *
 * @param parameters The record and the receiver.
 * @returns 32 bytes.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 *
 * @example
 * import { hashDepositWitness, type SignatureRecord } from "waybill";
 *
 * declare const record: SignatureRecord;
 * declare const receiver: `0x${string}`;
 * const nonce = hashDepositWitness({ receiver, record });
 */
export function hashDepositWitness(parameters: HashDepositWitnessParameters): HashDepositWitnessReturnType {
  return hashStruct({
    data: witnessOf(parameters),
    primaryType: "DepositWitness",
    types: { DepositWitness: witnessMembers },
  });
}

/**
 * Builds the typed data that a token owner signs to pay for a record by `depositErc20WithPermit2`: a Permit2 transfer
 * of exactly the record's amount to the receiver, with the `DepositWitness`. Permit2 needs an allowance of the owner.
 *
 * @param parameters The record, the receiver, and the transfer's nonce and deadline.
 * @returns Typed data for viem's `signTypedData`.
 * @throws {InvalidParameterError} For an invalid argument, by name. Native currency is invalid.
 *
 * @example
 * import { mnemonicToAccount } from "viem/accounts";
 * import { permit2TypedData, type SignatureRecord } from "waybill";
 *
 * declare const record: SignatureRecord;
 * declare const receiver: `0x${string}`;
 * const owner = mnemonicToAccount("test test test test test test test test test test test junk");
 * const deadline = BigInt(Math.floor(Date.now() / 1000) + 600);
 * const typedData = permit2TypedData({ deadline, nonce: 1n, receiver, record });
 * const signature = await owner.signTypedData(typedData);
 */
export function permit2TypedData(parameters: Permit2TypedDataParameters): Permit2TypedDataReturnType {
  const { record, nonce, deadline } = parameters;
  const witness = witnessOf(parameters);
  return witnessTransfer(permit2Types, witness, {
    chainId: readChainId(record.originChainId, "record.originChainId"),
    deadline,
    nonce,
    permitted: {
      amount: readUint256(record.originAmount, "record.originAmount"),
      token: readToken(record.originCurrency),
    },
  });
}

function witnessOf({ record, receiver }: HashDepositWitnessParameters): DepositWitness {
  readObject(record, "record");
  return {
    destinationChainId: BigInt(readChainId(record.destinationChainId, "record.destinationChainId")),
    destinationUser: recordWord(record.destinationUser, "record.destinationUser"),
    receiver: readAccount(receiver, "receiver"),
    requestId: readHex(record.requestId, "record.requestId", 32),
  };
}

/** A record contains a token as an address, or left-padded to a word. */
function readToken(currency: Hex): Address {
  const parameter = "record.originCurrency";
  const word = recordWord(currency, parameter);
  if (!/^0x0{24}/.test(word)) {
    throw new InvalidParameterError({ parameter, reason: "it is not an EVM address" });
  }
  return getAddress(readAccount(`0x${word.slice(26)}`, parameter));
}
