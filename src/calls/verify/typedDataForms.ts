import { type TypeMember, typeMembers } from "../../internal/typeMembers.ts";

/** Types by name, including the primary type. */
export type Types = Readonly<Record<string, readonly TypeMember[]>>;

/** Version of a router and its approval proxy. */
export type Version = "v2.1" | "v3";

/** A form of typed data that may be signed: exactly these types, in this order, and these domain fields. */
export type TypedDataForm = {
  /** As the signature is posted. */
  readonly kind: "eip3009" | "permit" | "permit2";
  readonly types: Types;
  readonly domain: readonly string[];
};

const tokenDomain = ["name", "version", "chainId", "verifyingContract"];

/** Forms of ERC-2612, ERC-3009, and Permit2 with the witness of an approval proxy, by primary type. */
export function permissionForms(version: Version): Readonly<Record<string, TypedDataForm>> {
  return {
    Permit: {
      domain: tokenDomain,
      kind: "permit",
      types: {
        Permit: typeMembers("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline"),
      },
    },
    PermitBatchWitnessTransferFrom: {
      domain: ["name", "chainId", "verifyingContract"],
      kind: "permit2",
      types: {
        Call3Value: typeMembers("address target,bool allowFailure,uint256 value,bytes callData"),
        PermitBatchWitnessTransferFrom: typeMembers(
          "TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,RelayerWitness witness",
        ),
        // The router's calls. Version 2.1 has no metadata.
        RelayerWitness: typeMembers(
          `address relayer,address refundTo,address nftRecipient,${version === "v3" ? "bytes metadata," : ""}Call3Value[] call3Values`,
        ),
        TokenPermissions: typeMembers("address token,uint256 amount"),
      },
    },
    ReceiveWithAuthorization: {
      domain: tokenDomain,
      kind: "eip3009",
      types: {
        ReceiveWithAuthorization: typeMembers(
          "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce",
        ),
      },
    },
  };
}

/** Types of the `EIP712Domain` fields. */
const domainTypes: Readonly<Record<string, string>> = {
  chainId: "uint256",
  name: "string",
  verifyingContract: "address",
  version: "string",
};

/** The types of a form with `EIP712Domain`, which a quote may omit. */
export function typesWithDomain({ domain, types }: Pick<TypedDataForm, "domain" | "types">): Types {
  return { ...types, EIP712Domain: domain.map((name) => ({ name, type: domainTypes[name] ?? "" })) };
}
