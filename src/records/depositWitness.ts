import { type Address, getAddress, type Hex, hashStruct } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAccount } from "../internal/readAddress.ts";
import { readHex } from "../internal/readHex.ts";
import { readChainId, readObject } from "../internal/readParts.ts";
import { readUint256 } from "../internal/readUint256.ts";
import { recordWord, type SignatureRecord } from "./SignatureRecord.ts";

/** Address of Permit2's usual deployment, the same on every chain that has it. */
const permit2Address = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

/** Members of `PermitWitnessTransferFrom` without the last one, the witness. */
export const transferMembers = [
  { name: "permitted", type: "TokenPermissions" },
  { name: "spender", type: "address" },
  { name: "nonce", type: "uint256" },
  { name: "deadline", type: "uint256" },
] as const;

/** Members of `TokenPermissions`. */
export const tokenPermissions = [
  { name: "token", type: "address" },
  { name: "amount", type: "uint256" },
] as const;

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

/** Transfer parameters of the owner. */
export type TransferTerms = {
  /** Unused nonce of the owner at Permit2. Nonces may be used in any order. */
  nonce: bigint;
  /** Last second of the transfer, Unix time. */
  deadline: bigint;
};

/** Typed data of a Permit2 transfer with a witness. */
export type WitnessTransfer<Types, Witness> = {
  readonly domain: {
    readonly name: "Permit2";
    readonly chainId: number;
    readonly verifyingContract: Address;
  };
  readonly types: Types;
  readonly primaryType: "PermitWitnessTransferFrom";
  readonly message: {
    readonly permitted: { readonly token: Address; readonly amount: bigint };
    readonly spender: Address;
    readonly nonce: bigint;
    readonly deadline: bigint;
    readonly witness: Witness;
  };
};

/**
 * Typed data of a Permit2 transfer to the receiver that the witness names.
 *
 * @throws {InvalidParameterError} Names the nonce or the deadline when it is no uint256.
 */
export function witnessTransfer<Types, Witness extends { readonly receiver: Address }>(
  types: Types,
  witness: Witness,
  parameters: TransferTerms & {
    chainId: number;
    permitted: { readonly token: Address; readonly amount: bigint };
  },
): WitnessTransfer<Types, Witness> {
  const { chainId, deadline, nonce, permitted } = parameters;
  return {
    domain: { chainId, name: "Permit2", verifyingContract: permit2Address },
    message: {
      deadline: readUint256(deadline, "deadline"),
      nonce: readUint256(nonce, "nonce"),
      permitted,
      spender: witness.receiver,
      witness,
    },
    primaryType: "PermitWitnessTransferFrom",
    types,
  };
}
