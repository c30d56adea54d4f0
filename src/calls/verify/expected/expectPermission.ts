import { type Address, type Hex, hashStruct, isAddress, type TypedDataParameter } from "viem";
import type { Eip712Sign, SignatureData } from "../../../schema/quote/step.ts";
import { choose, isSame, Unmet } from "../compareWhole.ts";
import type { RoutedCall } from "../OutputClaim.ts";
import { boundedSeconds } from "../proofDefaults.ts";
import { chooseDeadline, contractOf, type Terms } from "../Terms.ts";
import { permissionForms, type TypedDataForm, typesWithDomain, type Version } from "../typedDataForms.ts";
import { type ExpectedRouted, expectRouted } from "./expectRouted.ts";
import type { ExpectedPayment } from "./expectTransaction.ts";

/** Longest validity of a permit, in seconds, by default. */
const usualPermitSeconds = 3600;

type Fields = Readonly<Record<string, unknown>>;

/** What the user may sign: the whole typed data, its submission, and the router's calls behind a hash. */
export type ExpectedPermission = {
  readonly expected: object;
  /** Undefined for an ERC-2612 permit, which allows a payment and is none. */
  readonly payment: ExpectedPayment | undefined;
};

/** The signed fields of an item, in the form of {@link expectPermission}. A quote may omit `EIP712Domain`. */
export function signedOf({ post: { body, endpoint }, sign, witness }: SignatureData): object {
  const post = { body, endpoint };
  if (sign.signatureKind !== "eip712") return { post, sign, witness };
  const { domain, primaryType, signatureKind, types, value } = sign;
  const { EIP712Domain, ...others } = types;
  const form = formOf(sign, "v3");
  const isUsual = form !== undefined && isSame(EIP712Domain, typesWithDomain(form)["EIP712Domain"]);
  const signed = { domain, primaryType, signatureKind, types: isUsual ? others : types, value };
  return { post, sign: signed, witness };
}

/** The typed data of the permission that was asked for. Another one is expected in words. */
export function expectPermission(terms: Terms, { post, sign, witness }: SignatureData): ExpectedPermission {
  const { origin, request, requestId } = terms;
  const { routers = [], permit2 } = origin ?? {};
  const isTyped = sign.signatureKind === "eip712" && request.usePermit === true;
  const value: Fields = isTyped ? sign.value : {};
  const proxies = routers.map(({ approvalProxy }) => approvalProxy);
  const spender = contractOf("approval proxy", proxies, value["spender"] ?? value["to"]);
  const by = routers.find(({ approvalProxy }) => approvalProxy === spender);
  const form = isTyped ? formOf(sign, by?.version ?? "v3") : undefined;
  const isPermit = form?.kind === "permit";
  const routed = isPermit ? undefined : expectWitness(terms, by, witness ?? value["witness"]);
  if (!isTyped || form === undefined || !(isPermit || routed !== undefined)) {
    const named = sign.signatureKind === "eip712" ? sign.primaryType : sign.signatureKind;
    const other = new Unmet("a permission that was asked for, with its calls", "QUOTE_SIGNATURE", named);
    const payment = { claims: [], kind: "order", unmet: [] } as const;
    return { expected: { post: { body: post.body, endpoint }, sign: other }, payment };
  }
  const message = messages[form.kind](terms, { routed, spender, value });
  const isPermit2 = form.kind === "permit2";
  return {
    expected: {
      // Other fields of the body only return to the service what it sent.
      post: { body: { ...post.body, kind: form.kind, requestId }, endpoint },
      sign: {
        domain: expectDomain(terms, sign, isPermit2),
        primaryType: sign.primaryType,
        signatureKind: "eip712",
        types: form.types,
        value: message,
      },
      witness: form.kind === "eip3009" ? routed?.witness : undefined,
    },
    payment: routed && { ...routed, isSwapped: true, puller: isPermit2 ? permit2 : undefined },
  };
}

/** Any other endpoint could send the signature to another host or prefix. */
const endpoint = "/execute/permits";

function formOf({ primaryType }: Eip712Sign, version: Version): TypedDataForm | undefined {
  const forms = permissionForms(version);
  return Object.hasOwn(forms, primaryType) ? forms[primaryType] : undefined;
}

/** The paid token's domain, whose name and version only the token can tell, or Permit2's. */
function expectDomain({ origin, request }: Terms, { domain }: Eip712Sign, isPermit2: boolean): object {
  const { name = new Unmet("a name"), verifyingContract, version = new Unmet("a version") } = domain;
  const chainId = request.originChainId;
  if (!isPermit2) return { chainId, name, verifyingContract: request.originCurrency, version };
  return {
    chainId,
    name: "Permit2",
    verifyingContract: contractOf("Permit2", [origin?.permit2], verifyingContract),
  };
}

type Given = {
  readonly routed: Witnessed | undefined;
  readonly spender: string | Unmet;
  readonly value: Fields;
};

const messages: Readonly<Record<TypedDataForm["kind"], (terms: Terms, given: Given) => object>> = {
  // ERC-3009: the approval proxy receives the payment, and makes the calls whose hash is the nonce.
  eip3009: (terms, { routed, spender, value }) => {
    const after = readUint(value["validAfter"]);
    const isPast = after instanceof Unmet || BigInt(after) <= terms.now;
    return {
      from: terms.request.user,
      nonce: routed?.hash,
      to: spender,
      validAfter: choose(after, isPast, `at most ${terms.now}`, "QUOTE_DEADLINE"),
      validBefore: expectDeadline(terms, value["validBefore"]),
      value: terms.amountIn,
    };
  },
  // ERC-2612: an approval proxy may take the payment.
  permit: (terms, { spender, value }) => ({
    deadline: expectDeadline(terms, value["deadline"]),
    nonce: readUint(value["nonce"]),
    owner: terms.request.user,
    spender,
    value: terms.amountIn,
  }),
  // Permit2: the approval proxy takes the payment, and makes the calls of the witness.
  permit2: (terms, { routed, spender, value }) => ({
    deadline: expectDeadline(terms, value["deadline"]),
    nonce: readUint(value["nonce"]),
    permitted: [{ amount: terms.amountIn, token: terms.request.originCurrency }],
    spender,
    witness: routed?.witness,
  }),
};

/** The expected calls of a signature, with the witness that holds them, and its hash. */
type Witnessed = ExpectedRouted & { readonly hash: Hex; readonly witness: object };

/**
 * The witness of a signature for an approval proxy: the router's calls, and no others. A proxy takes tokens only from its
 * caller, or for calls that the owner signed.
 */
function expectWitness(
  terms: Terms,
  by: { readonly version: Version; readonly approvalProxy: Address; readonly router: Address } | undefined,
  given: unknown,
): Witnessed | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const { call3Values, metadata, nftRecipient, refundTo, relayer } = given as Fields;
  const calls = Array.isArray(call3Values) ? call3Values.map(readCall) : [undefined];
  if (!calls.every((call) => call !== undefined)) return undefined;
  const accounts = { nftRecipient: String(nftRecipient), refundTo: String(refundTo) };
  const routed = expectRouted(terms, { ...accounts, by, calls, isOpen: false });
  const version = by?.version ?? "v3";
  const solver = contractOf("solver", terms.trust.solvers, relayer);
  const witness = {
    call3Values: routed.calls.map((call) => ({ ...call, value: call.value.toString() })),
    nftRecipient: routed.nftRecipient,
    refundTo: routed.refundTo,
    relayer: solver,
    ...(version === "v3" && { metadata: metadata === "0x" ? metadata : terms.requestId }),
  };
  const types = permissionForms(version).PermitBatchWitnessTransferFrom?.types as unknown;
  const hash = hashStruct({
    data: { ...witness, relayer: solver instanceof Unmet ? relayer : solver },
    primaryType: "RelayerWitness",
    types: types as Record<string, TypedDataParameter[]>,
  });
  return { ...routed, hash, witness };
}

function readCall(value: unknown): RoutedCall | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { allowFailure, callData, target, value: wei } = value as Fields;
  const amount = readUint(wei);
  if (typeof allowFailure !== "boolean" || amount instanceof Unmet) return undefined;
  if (typeof callData !== "string" || !/^0x(?:[0-9a-fA-F]{2})*$/.test(callData)) return undefined;
  if (typeof target !== "string" || !isAddress(target, { strict: false })) return undefined;
  const lower = { callData: callData.toLowerCase() as Hex, target: target.toLowerCase() as Address };
  return { allowFailure, ...lower, value: BigInt(amount) };
}

/** Decimal text of a JSON value that is a uint256, without a sign or leading zeros. */
function readUint(value: unknown): string | Unmet {
  const isNumber = Number.isSafeInteger(value) && (value as number) >= 0;
  const isText = typeof value === "string" && /^(?:0|[1-9]\d{0,77})$/.test(value);
  const isUint = (isNumber || isText) && BigInt(value as string) < 2n ** 256n;
  return isUint ? String(value) : new Unmet("a uint256");
}

function expectDeadline(terms: Terms, value: unknown): string | Unmet {
  const { policy, request } = terms;
  const seconds = boundedSeconds(request.permitExpiry, policy.maximumPermitSeconds, usualPermitSeconds);
  const deadline = readUint(value);
  return deadline instanceof Unmet ? deadline : chooseDeadline(terms, deadline, seconds);
}
