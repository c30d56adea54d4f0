import { type Address, type Hex, hashStruct } from "viem";
import type { Chain, RouterVersion } from "../../chains/Chain.ts";
import type { PermitTerms } from "../../requests/Intent.ts";
import type { RouterWork } from "../../router/routerCalls.ts";
import type { TokenDomain } from "./tokenDomain.ts";

/** EIP-712 data that a user signs. Numbers are decimal strings, both in JSON and for hashing. */
export type PermitTypedData = {
  readonly domain: Omit<TokenDomain, "version"> & Partial<Pick<TokenDomain, "version">>;
  readonly types: Readonly<Record<string, readonly Member[]>>;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
};

type Member = { readonly name: string; readonly type: string };

/** The payer, and the relayer that submits the signature. */
type Parties = { readonly user: Address; readonly relayer: Address };

const callMembers: readonly Member[] = [
  { name: "target", type: "address" },
  { name: "allowFailure", type: "bool" },
  { name: "value", type: "uint256" },
  { name: "callData", type: "bytes" },
];

/** Members of the witness. Version 2.1 of the approval proxy has no metadata. */
function witnessMembers(version: RouterVersion): readonly Member[] {
  return [
    { name: "relayer", type: "address" },
    { name: "refundTo", type: "address" },
    { name: "nftRecipient", type: "address" },
    ...(version === "v3" ? [{ name: "metadata", type: "bytes" }] : []),
    { name: "call3Values", type: "Call3Value[]" },
  ];
}

/** The witness: relayer, calls and receivers. Permit2 signs it; ERC-3009 signs its hash as the nonce. */
export function buildWitness(work: RouterWork, relayer: Address, version: RouterVersion) {
  const { calls, nftRecipient, refundTo, requestId } = work;
  return {
    call3Values: calls.map(({ data, to, value }) => ({
      allowFailure: false,
      callData: data,
      target: to,
      value: value.toString(),
    })),
    ...(version === "v3" && { metadata: requestId }),
    nftRecipient,
    refundTo,
    relayer,
  };
}

/** EIP-712 hash of the witness, as the approval proxy computes it. */
export function hashWitness(work: RouterWork, relayer: Address, version: RouterVersion): Hex {
  return hashStruct({
    data: buildWitness(work, relayer, version),
    primaryType: "RelayerWitness",
    types: { Call3Value: callMembers, RelayerWitness: witnessMembers(version) },
  });
}

/** A Permit2 transfer that is bound to the calls by its witness. */
export function permit2TypedData(
  work: RouterWork,
  { deadline, nonce, proxy }: Pick<PermitTerms, "deadline" | "nonce" | "proxy">,
  { relayer }: Parties,
  { contracts, definition }: Pick<Chain, "contracts" | "definition">,
  version: RouterVersion,
): PermitTypedData {
  return {
    domain: { chainId: definition.id, name: "Permit2", verifyingContract: contracts.permit2 },
    message: {
      deadline: deadline.toString(),
      nonce: nonce.toString(),
      permitted: [{ amount: work.amount.toString(), token: work.currency }],
      spender: proxy,
      witness: buildWitness(work, relayer, version),
    },
    primaryType: "PermitBatchWitnessTransferFrom",
    types: {
      Call3Value: callMembers,
      PermitBatchWitnessTransferFrom: [
        { name: "permitted", type: "TokenPermissions[]" },
        { name: "spender", type: "address" },
        { name: "nonce", type: "uint256" },
        { name: "deadline", type: "uint256" },
        { name: "witness", type: "RelayerWitness" },
      ],
      RelayerWitness: witnessMembers(version),
      TokenPermissions: [
        { name: "token", type: "address" },
        { name: "amount", type: "uint256" },
      ],
    },
  };
}

/** An ERC-3009 authorization for the approval proxy alone. Its nonce, the hash of the witness, binds it to the calls. */
export function authorizationTypedData(
  work: RouterWork,
  { deadline, nonce, proxy }: Pick<PermitTerms, "deadline" | "nonce" | "proxy">,
  { user }: Parties,
  domain: TokenDomain,
): PermitTypedData {
  return {
    domain,
    message: {
      from: user,
      nonce: `0x${nonce.toString(16).padStart(64, "0")}`,
      to: proxy,
      validAfter: "0",
      validBefore: validBefore(deadline).toString(),
      value: work.amount.toString(),
    },
    primaryType: "ReceiveWithAuthorization",
    types: {
      ReceiveWithAuthorization: [
        { name: "from", type: "address" },
        { name: "to", type: "address" },
        { name: "value", type: "uint256" },
        { name: "validAfter", type: "uint256" },
        { name: "validBefore", type: "uint256" },
        { name: "nonce", type: "bytes32" },
      ],
    },
  };
}

/** An ERC-2612 allowance for the approval proxy. It is not bound to the calls. */
export function allowanceTypedData(
  work: RouterWork,
  { deadline, nonce, proxy }: Pick<PermitTerms, "deadline" | "nonce" | "proxy">,
  { user }: Parties,
  domain: TokenDomain,
): PermitTypedData {
  return {
    domain,
    message: {
      deadline: deadline.toString(),
      nonce: nonce.toString(),
      owner: user,
      spender: proxy,
      value: work.amount.toString(),
    },
    primaryType: "Permit",
    types: {
      Permit: [
        { name: "owner", type: "address" },
        { name: "spender", type: "address" },
        { name: "value", type: "uint256" },
        { name: "nonce", type: "uint256" },
        { name: "deadline", type: "uint256" },
      ],
    },
  };
}

/** `validBefore` is exclusive, a permit's deadline inclusive. */
export function validBefore(deadline: number): bigint {
  return BigInt(deadline) + 1n;
}
