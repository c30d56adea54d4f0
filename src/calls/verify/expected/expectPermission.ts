import {
  type Address,
  getTypesForEIP712Domain,
  type Hex,
  hashStruct,
  type TypedDataDomain,
  type TypedDataParameter,
} from "viem";
import * as z from "zod/mini";
import { type TypeMember, typeMembers } from "../../../internal/typeMembers.ts";
import type { Eip712Sign, SignatureData } from "../../../schema/quote/step.ts";
import { evmAddressSchema, hexSchema } from "../../../schema/wire/hex.ts";
import { quantitySchema } from "../../../schema/wire/wireAmount.ts";
import { choose, isSame, Unmet } from "../compareWhole.ts";
import { boundSeconds, chooseDeadline, contractOf, type Terms } from "../Terms.ts";
import type { TrustedRouter } from "../TrustRoots.ts";
import { type ExpectedRouted, expectRouted } from "./expectRouted.ts";
import type { ExpectedPayment } from "./expectTransaction.ts";

/** Longest validity of a permit, in seconds, by default. */
const usualPermitSeconds = 3600;
/** Any other endpoint could send the signature to another host or prefix. */
const permitsEndpoint = "/execute/permits";

/** The expected calls of a signature, with the witness that holds them, and its hash. */
type Witnessed = ExpectedRouted & {
  readonly hash: Hex;
  readonly types: Record<string, TypedDataParameter[]>;
  readonly witness: object;
};

/** Typed data that may be signed, and its kind as the signature is posted. */
type Form = {
  readonly kind: "eip3009" | "permit" | "permit2";
  readonly types: Readonly<Record<string, readonly TypeMember[]>>;
};

/** ERC-2612, Permit2 with the witness of an approval proxy, and ERC-3009, by primary type. */
const forms: Readonly<Record<string, Form>> = {
  Permit: {
    kind: "permit",
    types: {
      Permit: typeMembers("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline"),
    },
  },
  PermitBatchWitnessTransferFrom: {
    kind: "permit2",
    types: {
      PermitBatchWitnessTransferFrom: typeMembers(
        "TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,RelayerWitness witness",
      ),
      TokenPermissions: typeMembers("address token,uint256 amount"),
    },
  },
  ReceiveWithAuthorization: {
    kind: "eip3009",
    types: {
      ReceiveWithAuthorization: typeMembers(
        "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce",
      ),
    },
  },
};

/**
 * The whole typed data of the permission that was asked for, with its submission. Another one is expected in words. An
 * ERC-2612 permit allows a payment, and is none.
 */
export function expectPermission(terms: Terms, { post, sign, witness }: SignatureData) {
  const { origin, request, requestId } = terms;
  const { body, endpoint, method } = post;
  const posted = { body, endpoint, method: method.toUpperCase() };
  const routers = origin?.routers ?? [];
  const named = sign.signatureKind === "eip712" ? sign.primaryType : sign.signatureKind;
  const other = new Unmet("a permission that was asked for, with its calls", "QUOTE_SIGNATURE", named);
  const refused = {
    actual: { post: posted, sign },
    expected: { post: { body, endpoint: permitsEndpoint, method: "POST" }, sign: other },
    payment: { kind: "order" } as ExpectedPayment,
  };
  if (sign.signatureKind !== "eip712" || request.usePermit !== true) return refused;
  const { domain, primaryType, signatureKind, value } = sign;
  const proxies = routers.map(({ approvalProxy }) => approvalProxy);
  const spender = contractOf("approval proxy", proxies, value["spender"] ?? value["to"]);
  const by = routers.find(({ approvalProxy }) => approvalProxy === spender);
  const isPermit = primaryType === "Permit";
  const routed = isPermit ? undefined : expectWitness(terms, by, witness ?? value["witness"]);
  const form = Object.hasOwn(forms, primaryType) ? forms[primaryType] : undefined;
  if (form === undefined || !(isPermit || routed !== undefined)) return refused;
  const { kind } = form;
  const signed = {
    domain: expectDomain(terms, sign, form),
    types: { ...form.types, ...(kind === "permit2" && routed?.types) },
    value: expectMessage(terms, sign, form, { routed, spender }),
  };
  // A quote may omit the domain's type.
  const { EIP712Domain, ...members } = sign.types;
  const domainType = getTypesForEIP712Domain({ domain: signed.domain as TypedDataDomain });
  const isUsual = EIP712Domain === undefined || isSame(EIP712Domain, domainType);
  const types = isUsual ? members : sign.types;
  return {
    actual: { post: posted, sign: { domain, primaryType, signatureKind, types, value }, witness },
    expected: {
      // Other fields of the body only return to the service what it sent.
      post: { body: { ...body, kind, requestId }, endpoint: permitsEndpoint, method: "POST" },
      sign: { ...signed, primaryType, signatureKind },
      witness: kind === "eip3009" ? routed?.witness : undefined,
    },
    payment: routed && {
      ...routed,
      isSwapped: true,
      puller: kind === "permit2" ? origin?.permit2 : undefined,
    },
  };
}

/** The domain of Permit2, or of the paid token, whose name and version only the token can tell. */
function expectDomain({ origin, request }: Terms, { domain }: Eip712Sign, { kind }: Form): object {
  const { name = new Unmet("a name"), verifyingContract, version = new Unmet("a version") } = domain;
  const chainId = request.originChainId;
  if (kind !== "permit2") return { chainId, name, verifyingContract: request.originCurrency, version };
  const permit2 = contractOf("Permit2", [origin?.permit2], verifyingContract);
  return { chainId, name: "Permit2", verifyingContract: permit2 };
}

/** The members of the primary type: the approval proxy takes the payment, for calls that are signed with it. */
function expectMessage(
  terms: Terms,
  { primaryType, value }: Eip712Sign,
  { kind, types }: Form,
  { routed, spender }: { readonly routed: Witnessed | undefined; readonly spender: string | Unmet },
): object {
  const { amountIn, now, request } = terms;
  const after = readUint(value["validAfter"]);
  const isPast = after instanceof Unmet || BigInt(after) <= now;
  const members: Eip712Sign["value"] = {
    deadline: expectDeadline(terms, value["deadline"]),
    from: request.user,
    // An authorization has no other place for the calls than their hash.
    nonce: kind === "eip3009" ? routed?.hash : readUint(value["nonce"]),
    owner: request.user,
    permitted: [{ amount: amountIn, token: request.originCurrency }],
    spender,
    to: spender,
    validAfter: choose(after, isPast, `at most ${now}`, "QUOTE_DEADLINE"),
    validBefore: expectDeadline(terms, value["validBefore"]),
    value: amountIn,
    witness: routed?.witness,
  };
  return Object.fromEntries((types[primaryType] ?? []).map(({ name }) => [name, members[name]]));
}

const callsSchema = z.array(
  z.object({
    allowFailure: z.boolean(),
    callData: hexSchema,
    target: evmAddressSchema,
    value: quantitySchema,
  }),
);

/**
 * The witness of a signature for an approval proxy: the router's calls, and no others. A proxy takes tokens only from its
 * caller, or for calls that the owner signed.
 */
function expectWitness(terms: Terms, by: TrustedRouter | undefined, given: unknown): Witnessed | undefined {
  const { call3Values, metadata, nftRecipient, refundTo, relayer } = (given ?? {}) as Eip712Sign["value"];
  const parsed = z.safeParse(callsSchema, call3Values);
  if (!parsed.success) return undefined;
  const calls = parsed.data.map(({ callData, target, value, ...call }) => ({
    ...call,
    callData: callData.toLowerCase() as Hex,
    target: target.toLowerCase() as Address,
    value: BigInt(value),
  }));
  const routed = expectRouted(terms, { by, calls, isOpen: false, nftRecipient, refundTo });
  // Version 2.1 has no metadata.
  const isOlder = by?.version === "v2.1";
  const solver = contractOf("solver", terms.trust.solvers, relayer);
  const witness = {
    call3Values: routed.calls.map((call) => ({ ...call, value: call.value.toString() })),
    nftRecipient: routed.nftRecipient,
    refundTo: routed.refundTo,
    relayer: solver,
    ...(!isOlder && { metadata: metadata === "0x" ? metadata : terms.requestId }),
  };
  const types = {
    Call3Value: [...typeMembers("address target,bool allowFailure,uint256 value,bytes callData")],
    RelayerWitness: [
      ...typeMembers("address relayer,address refundTo,address nftRecipient"),
      ...(isOlder ? [] : typeMembers("bytes metadata")),
      ...typeMembers("Call3Value[] call3Values"),
    ],
  };
  const data = { ...witness, relayer: solver instanceof Unmet ? relayer : solver };
  const hash = hashStruct({ data, primaryType: "RelayerWitness", types });
  return { ...routed, hash, types, witness };
}

/** Canonical decimal text of a JSON value that is a uint256. */
function readUint(value: unknown): string | Unmet {
  const parsed = z.safeParse(quantitySchema, value);
  return parsed.success ? BigInt(parsed.data).toString() : new Unmet("a uint256");
}

function expectDeadline(terms: Terms, value: unknown): string | Unmet {
  const { policy, request } = terms;
  const seconds = boundSeconds(usualPermitSeconds, policy.maximumPermitSeconds, request.permitExpiry);
  const deadline = readUint(value);
  return deadline instanceof Unmet ? deadline : chooseDeadline(terms, deadline, seconds);
}
