import { type Address, type Hex, hashStruct } from "viem";
import { type TypeMember, typeMembers } from "../../../src/internal/typeMembers.ts";
import type { Chain, RouterVersion } from "../../chains/Chain.ts";
import type { PermitTerms } from "../../requests/Intent.ts";
import type { RouterWork } from "../../router/routerCalls.ts";
import type { TokenDomain } from "./tokenDomain.ts";

/** EIP-712 data that a user signs. Numbers are decimal strings, both in JSON and for hashing. */
export type PermitTypedData = {
  readonly domain: Omit<TokenDomain, "version"> & Partial<Pick<TokenDomain, "version">>;
  readonly types: Readonly<Record<string, readonly TypeMember[]>>;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
};

/** Terms that are part of the signed data. */
export type SignedTerms = Pick<PermitTerms, "deadline" | "nonce" | "proxy">;

/** The payer, and the relayer that submits the signature. */
type Parties = { readonly user: Address; readonly relayer: Address };

const callMembers = typeMembers("address target,bool allowFailure,uint256 value,bytes callData");

/** Members of the witness. Version 2.1 of the approval proxy has no metadata. */
function witnessMembers(version: RouterVersion): readonly TypeMember[] {
  const metadata = version === "v3" ? "bytes metadata," : "";
  return typeMembers(
    `address relayer,address refundTo,address nftRecipient,${metadata}Call3Value[] call3Values`,
  );
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
  { deadline, nonce, proxy }: SignedTerms,
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
      PermitBatchWitnessTransferFrom: typeMembers(
        "TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,RelayerWitness witness",
      ),
      RelayerWitness: witnessMembers(version),
      TokenPermissions: typeMembers("address token,uint256 amount"),
    },
  };
}

/** An ERC-3009 authorization for the approval proxy alone. Its nonce, the hash of the witness, binds it to the calls. */
export function authorizationTypedData(
  work: RouterWork,
  { deadline, nonce, proxy }: SignedTerms,
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
      ReceiveWithAuthorization: typeMembers(
        "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce",
      ),
    },
  };
}

/** An ERC-2612 allowance for the approval proxy. It is not bound to the calls. */
export function allowanceTypedData(
  work: RouterWork,
  { deadline, nonce, proxy }: SignedTerms,
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
      Permit: typeMembers("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline"),
    },
  };
}

/** `validBefore` is exclusive, a permit's deadline inclusive. */
export function validBefore(deadline: number): bigint {
  return BigInt(deadline) + 1n;
}
