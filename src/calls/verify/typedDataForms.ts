import { isAddress } from "viem";
import { type TypeMember, typeMembers } from "../../internal/typeMembers.ts";

/** Types by name, including the primary type. */
export type Types = Readonly<Record<string, readonly TypeMember[]>>;

/** A form of typed data that may be signed: exactly these types, in this order, and these domain fields. */
export type TypedDataForm = { readonly types: Types; readonly domain: readonly string[] };

const tokenDomain = ["name", "version", "chainId", "verifyingContract"];

const call3Value = typeMembers("address target,bool allowFailure,uint256 value,bytes callData");

/** Witness types of the approval proxy: the router's calls. Version 2.1 has no metadata. */
export const witnessTypes: Readonly<Record<"v2.1" | "v3", Types>> = {
  "v2.1": {
    Call3Value: call3Value,
    RelayerWitness: typeMembers(
      "address relayer,address refundTo,address nftRecipient,Call3Value[] call3Values",
    ),
  },
  v3: {
    Call3Value: call3Value,
    RelayerWitness: typeMembers(
      "address relayer,address refundTo,address nftRecipient,bytes metadata,Call3Value[] call3Values",
    ),
  },
};

/** ERC-2612. */
export const permitForm: TypedDataForm = {
  domain: tokenDomain,
  types: {
    Permit: typeMembers("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline"),
  },
};

/** ERC-3009. */
export const authorizationForm: TypedDataForm = {
  domain: tokenDomain,
  types: {
    ReceiveWithAuthorization: typeMembers(
      "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce",
    ),
  },
};

/** Permit2, with the witness of an approval proxy. */
export function permit2Form(version: "v2.1" | "v3"): TypedDataForm {
  return {
    domain: ["name", "chainId", "verifyingContract"],
    types: {
      ...witnessTypes[version],
      PermitBatchWitnessTransferFrom: typeMembers(
        "TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,RelayerWitness witness",
      ),
      TokenPermissions: typeMembers("address token,uint256 amount"),
    },
  };
}

/** Nonce mapping of the perps exchange: links an exchange nonce to an order. */
export const nonceMappingForm: TypedDataForm = {
  domain: tokenDomain,
  types: {
    NonceMapping: typeMembers("string chainId,address wallet,address depositor,bytes32 id,uint256 nonce"),
  },
};

/** Types of the `EIP712Domain` fields. */
const domainTypes: Readonly<Record<string, string>> = {
  chainId: "uint256",
  name: "string",
  verifyingContract: "address",
  version: "string",
};

/**
 * Serialises types for comparison, with members in order. JSON keeps a member type with commas apart from several
 * members.
 */
export function describeTypes(types: Types): string {
  const names = Object.keys(types).sort();
  return JSON.stringify(names.map((name) => [name, types[name]?.map(({ name, type }) => [type, name])]));
}

/** The types of a form with `EIP712Domain`, which a quote may omit. */
export function typesWithDomain({ domain, types }: TypedDataForm): Types {
  return { ...types, EIP712Domain: domain.map((name) => ({ name, type: domainTypes[name] ?? "" })) };
}

/**
 * Whether a value has exactly the fields of its type, at every depth, in exact JSON form.
 *
 * @example
 * fitsType({ amount: "7", token }, "TokenPermissions", permit2Form("v3").types);
 */
export function fitsType(value: unknown, type: string, types: Types): boolean {
  if (type.endsWith("[]")) {
    return Array.isArray(value) && value.every((each) => fitsType(each, type.slice(0, -2), types));
  }
  const form = types[type];
  if (form === undefined) return leafForms[type]?.(value) === true;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  const isWhole = Object.keys(fields).length === form.length;
  return (
    isWhole &&
    form.every(({ name, type: inner }) => Object.hasOwn(fields, name) && fitsType(fields[name], inner, types))
  );
}

const leafForms: Readonly<Record<string, (value: unknown) => boolean>> = {
  // Wallets reject an address whose letter case contradicts its checksum.
  address: (value) => typeof value === "string" && isAddress(value),
  bool: (value) => typeof value === "boolean",
  bytes: matches(/^0x(?:[0-9a-fA-F]{2})*$/),
  bytes32: matches(/^0x[0-9a-fA-F]{64}$/),
  string: (value) => typeof value === "string",
  uint256: (value) =>
    (Number.isSafeInteger(value) && (value as number) >= 0) ||
    (typeof value === "string" && /^(?:0|[1-9]\d{0,77})$/.test(value) && BigInt(value) < 2n ** 256n),
};

function matches(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === "string" && pattern.test(value);
}
