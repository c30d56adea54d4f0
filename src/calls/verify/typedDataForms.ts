import { isAddress } from "viem";
import { type TypeMember, typeMembers } from "../../internal/typeMembers.ts";

/** Types by name, the primary one among them. */
export type Types = Readonly<Record<string, readonly TypeMember[]>>;

/** Typed data that may be signed: exactly these types, in this order, and exactly these fields of the domain. */
export type TypedDataForm = { readonly types: Types; readonly domain: readonly string[] };

const tokenDomain = ["name", "version", "chainId", "verifyingContract"];

const call3Value = typeMembers("address target,bool allowFailure,uint256 value,bytes callData");

/** What a router is to do, as the approval proxy hashes it; version 2.1 has no metadata. */
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

/** The perps exchange: which of its nonces belongs to which order. */
export const nonceMappingForm: TypedDataForm = {
  domain: tokenDomain,
  types: {
    NonceMapping: typeMembers("string chainId,address wallet,address depositor,bytes32 id,uint256 nonce"),
  },
};

/** What `EIP712Domain` is, by the fields that a domain has. */
const domainTypes: Readonly<Record<string, string>> = {
  chainId: "uint256",
  name: "string",
  verifyingContract: "address",
  version: "string",
};

/**
 * The text of types, to compare them by: names and members, which are hashed in the order they stand in. It is JSON, so that a
 * member whose type holds commas is not taken for several.
 */
export function describeTypes(types: Types): string {
  const names = Object.keys(types).sort();
  return JSON.stringify(names.map((name) => [name, types[name]?.map(({ name, type }) => [type, name])]));
}

/** The types of a form with its domain's, which a quote may carry or leave out. */
export function typesWithDomain({ domain, types }: TypedDataForm): Types {
  return { ...types, EIP712Domain: domain.map((name) => ({ name, type: domainTypes[name] ?? "" })) };
}

/**
 * Whether a value has exactly the fields of its type, all the way down, and each as JSON carries it exactly.
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
  // Wallets sign for no address whose letter case contradicts its checksum.
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
