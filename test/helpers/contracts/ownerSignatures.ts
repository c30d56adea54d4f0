import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { Signature, type Signer, TypedDataEncoder } from "ethers";
import { PERMIT2_ADDRESS } from "./permit2.ts";

/** The purpose that an owner signs with a payment. */
export interface Witness {
  readonly requestId: string;
  readonly destinationChainId: bigint;
  readonly destinationUser: string;
  readonly receiver: string;
}

const witnessTypes = {
  DepositWitness: [
    { name: "requestId", type: "bytes32" },
    { name: "destinationChainId", type: "uint256" },
    { name: "destinationUser", type: "bytes32" },
    { name: "receiver", type: "address" },
  ],
};

/** Hashes the fields by ethers, independently of the contract's type string. */
export function hashWitness(witness: Witness): string {
  return TypedDataEncoder.from(witnessTypes).hash(witness);
}

/** A signing domain of a chain; Permit2's has no version. */
export async function domainOf(
  ethers: HardhatEthers,
  verifyingContract: string,
  name: string,
  version?: string,
) {
  const { chainId } = await ethers.provider.getNetwork();
  return { name, ...(version === undefined ? {} : { version }), chainId, verifyingContract };
}

/** Returns a Unix time one hour from now. */
export async function inAnHour(ethers: HardhatEthers): Promise<bigint> {
  const block = await ethers.provider.getBlock("latest");
  return BigInt(block?.timestamp ?? 0) + 3600n;
}

export interface Permit2Fields {
  readonly token: string;
  readonly amount: bigint;
  readonly spender: string;
  readonly nonce: bigint;
  readonly deadline: bigint;
  readonly witness: Witness;
}

/** Signs a Permit2 transfer with the witness. */
export async function signPermit2Transfer(ethers: HardhatEthers, owner: Signer, fields: Permit2Fields) {
  const types = {
    PermitWitnessTransferFrom: [
      { name: "permitted", type: "TokenPermissions" },
      { name: "spender", type: "address" },
      { name: "nonce", type: "uint256" },
      { name: "deadline", type: "uint256" },
      { name: "witness", type: "DepositWitness" },
    ],
    TokenPermissions: [
      { name: "token", type: "address" },
      { name: "amount", type: "uint256" },
    ],
    ...witnessTypes,
  };
  const { token, amount, ...rest } = fields;
  const domain = await domainOf(ethers, PERMIT2_ADDRESS, "Permit2");
  return owner.signTypedData(domain, types, { ...rest, permitted: { token, amount } });
}

export interface PermitFields {
  readonly owner: string;
  readonly spender: string;
  readonly value: bigint;
  readonly nonce: bigint;
  readonly deadline: bigint;
}

/** Signs an ERC-2612 permit of a token whose domain has version 1, in the receiver's form. */
export async function signPermit(
  ethers: HardhatEthers,
  owner: Signer,
  token: { readonly address: string; readonly name: string },
  fields: PermitFields,
) {
  const types = {
    Permit: [
      { name: "owner", type: "address" },
      { name: "spender", type: "address" },
      { name: "value", type: "uint256" },
      { name: "nonce", type: "uint256" },
      { name: "deadline", type: "uint256" },
    ],
  };
  const domain = await domainOf(ethers, token.address, token.name, "1");
  const { r, s, v } = Signature.from(await owner.signTypedData(domain, types, fields));
  return { value: fields.value, deadline: fields.deadline, r, s, v };
}

export interface AuthorizationFields {
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: string;
}

/** Signs an ERC-3009 authorization of a token whose domain has version 1, in the receiver's form. */
export async function signAuthorization(
  ethers: HardhatEthers,
  owner: Signer,
  token: { readonly address: string; readonly name: string },
  fields: AuthorizationFields,
  primaryType = "ReceiveWithAuthorization",
) {
  const types = {
    [primaryType]: [
      { name: "from", type: "address" },
      { name: "to", type: "address" },
      { name: "value", type: "uint256" },
      { name: "validAfter", type: "uint256" },
      { name: "validBefore", type: "uint256" },
      { name: "nonce", type: "bytes32" },
    ],
  };
  const domain = await domainOf(ethers, token.address, token.name, "1");
  const { r, s, v } = Signature.from(await owner.signTypedData(domain, types, fields));
  return { owner: fields.from, validAfter: fields.validAfter, validBefore: fields.validBefore, v, r, s };
}
