import { type Signer, TypedDataEncoder } from "ethers";

/** A call as the approval proxies sign it. */
export interface RouterCall {
  target: string;
  allowFailure: boolean;
  value: bigint;
  callData: string;
}

/** What a user signs along with the transfer. Version 2.1 has no metadata. */
export interface Witness {
  relayer: string;
  refundTo: string;
  nftRecipient: string;
  metadata?: string;
  call3Values: RouterCall[];
}

export interface Domain {
  name: string;
  version?: string;
  chainId: bigint;
  verifyingContract: string;
}

const Call3Value = [
  { name: "target", type: "address" },
  { name: "allowFailure", type: "bool" },
  { name: "value", type: "uint256" },
  { name: "callData", type: "bytes" },
];

function witnessTypes(witness: Witness) {
  const metadata = witness.metadata === undefined ? [] : [{ name: "metadata", type: "bytes" }];
  return {
    RelayerWitness: [
      { name: "relayer", type: "address" },
      { name: "refundTo", type: "address" },
      { name: "nftRecipient", type: "address" },
      ...metadata,
      { name: "call3Values", type: "Call3Value[]" },
    ],
    Call3Value,
  };
}

/** The struct hash of the witness, which is also the nonce of an ERC-3009 authorization. */
export function hashWitness(witness: Witness): string {
  return TypedDataEncoder.from(witnessTypes(witness)).hash(witness);
}

/** Signs a batch transfer of Permit2 with the witness. */
export function signPermit2(
  user: Signer,
  domain: Domain,
  permit: {
    permitted: { token: string; amount: bigint }[];
    spender: string;
    nonce: bigint;
    deadline: bigint;
  },
  witness: Witness,
): Promise<string> {
  const types = {
    PermitBatchWitnessTransferFrom: [
      { name: "permitted", type: "TokenPermissions[]" },
      { name: "spender", type: "address" },
      { name: "nonce", type: "uint256" },
      { name: "deadline", type: "uint256" },
      { name: "witness", type: "RelayerWitness" },
    ],
    TokenPermissions: [
      { name: "token", type: "address" },
      { name: "amount", type: "uint256" },
    ],
    ...witnessTypes(witness),
  };
  return user.signTypedData(domain, types, { ...permit, witness });
}

/** Signs an ERC-2612 permit. */
export function signPermit2612(
  owner: Signer,
  domain: Domain,
  permit: { owner: string; spender: string; value: bigint; nonce: bigint; deadline: bigint },
): Promise<string> {
  const types = {
    Permit: [
      { name: "owner", type: "address" },
      { name: "spender", type: "address" },
      { name: "value", type: "uint256" },
      { name: "nonce", type: "uint256" },
      { name: "deadline", type: "uint256" },
    ],
  };
  return owner.signTypedData(domain, types, permit);
}

/** Signs an ERC-3009 authorization only its payee can bring. */
export function signAuthorization(
  from: Signer,
  domain: Domain,
  authorization: {
    from: string;
    to: string;
    value: bigint;
    validAfter: bigint;
    validBefore: bigint;
    nonce: string;
  },
): Promise<string> {
  const types = {
    ReceiveWithAuthorization: [
      { name: "from", type: "address" },
      { name: "to", type: "address" },
      { name: "value", type: "uint256" },
      { name: "validAfter", type: "uint256" },
      { name: "validBefore", type: "uint256" },
      { name: "nonce", type: "bytes32" },
    ],
  };
  return from.signTypedData(domain, types, authorization);
}
