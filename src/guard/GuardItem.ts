import { type Address, type Hex, hashTypedData } from "viem";
import type { QuoteIntent } from "../calls/verify/VerifyQuoteParameters.ts";
import type { Quote } from "../schema/quote/quote.ts";
import type { Eip712Sign, EvmTransactionData } from "../schema/quote/step.ts";

/** A call as the wallet is asked for it. */
export type GuardedCall = {
  readonly chainId: number;
  readonly from: string;
  readonly to: Address;
  readonly data: Hex;
  readonly value: bigint;
  readonly gas: bigint | undefined;
};

type ItemFields = {
  /** Identity of the bytes that the wallet receives. */
  readonly key: string;
  /** Identities of the bytes that the app may ask for: those of the quote, and those with guards. */
  readonly keys: readonly string[];
  /** Whether it moves money. Approvals, permits of ERC-2612 and nonce mappings do not. */
  readonly isPayment: boolean;
};

/** An item of a proven quote: a transaction, or typed data as JSON. */
export type GuardItem = ItemFields &
  (
    | { readonly kind: "call"; readonly call: GuardedCall }
    | {
        readonly kind: "signature";
        /** JSON by key. */
        readonly typedData: ReadonlyMap<string, string>;
      }
  );

/** Typed data, with a domain as quotes have it. */
type TypedForm = {
  readonly domain: Eip712Sign["domain"];
  readonly message: object;
  readonly primaryType: string;
  readonly types: object;
};

/** The account's call, as `callKey` identifies it. */
export type CallIdentity = Omit<GuardedCall, "gas">;

/** Identifies a call. Letter case does not count; gas and fees are not part of it. */
export function callKey({ chainId, data, from, to, value }: CallIdentity): string {
  return [chainId, from, to, value, data].join(":").toLowerCase();
}

/** The calldata of an identity, or the digest of typed data, without `0x`. */
export function bytesOf(key: string): string {
  return key.slice(key.lastIndexOf(":0x") + 3);
}

/** Largest product that {@link hashesFast} accepts: many times that of the service's typed data. */
const mostHashing = 2_000_000;

/** Whether typed data is hashed within 100 ms: any value may be hashed as a struct, with the text of the types again. */
export function hashesFast({ types, message }: { types?: unknown; message?: unknown }): boolean {
  const values = (JSON.stringify(message) ?? "").split(/[[{,]/).length;
  return values * (JSON.stringify(types) ?? "").length <= mostHashing;
}

/** Identifies typed data by its account and EIP-712 digest. */
export function signatureKey(account: string, digest: Hex): string {
  return `${account}:${digest}`.toLowerCase();
}

/**
 * Lists the items that the wallet will be asked for, in order.
 *
 * @param given The quote of the service, which the app has.
 * @param proven The same quote with guards among its calls.
 */
export function readItems(given: Quote, proven: Quote, request: QuoteIntent): readonly GuardItem[] {
  return proven.steps.flatMap((step, stepIndex) =>
    step.items.flatMap(({ data, status }, itemIndex) => {
      // Clients skip what the quote calls complete.
      if (status === "complete" || data === undefined) return [];
      if (step.kind === "signature") {
        const { sign } = data as { sign: Eip712Sign };
        return sign.signatureKind === "eip712"
          ? [signatureItem(request.user, [{ ...sign, message: sign.value }])]
          : [];
      }
      const before = given.steps[stepIndex]?.items[itemIndex]?.data;
      return [callItem(request, data as EvmTransactionData, before as EvmTransactionData)];
    }),
  );
}

function callItem(request: QuoteIntent, data: EvmTransactionData, given: EvmTransactionData): GuardItem {
  const read = (each: EvmTransactionData): GuardedCall => ({
    chainId: each.chainId ?? request.originChainId,
    from: request.user,
    ...readCall(each),
  });
  const call = read(data);
  const key = callKey(call);
  // An `approve` with value is none that a proof accepts.
  const isApproval = call.data.startsWith("0x095ea7b3");
  return { call, isPayment: !isApproval, key, keys: [key, callKey(read(given))], kind: "call" };
}

function readCall({ data = "0x", gas, to, value = "0" }: EvmTransactionData) {
  return { data, gas: gas === undefined ? undefined : BigInt(gas), to, value: BigInt(value) };
}

/** An item of typed data, in one form or in several of which one is signed. */
export function signatureItem(account: string, forms: readonly TypedForm[]): GuardItem {
  const typedData = new Map(
    forms.map((form) => [signatureKey(account, hashTypedData(form as never)), toJson(form)]),
  );
  const keys = [...typedData.keys()];
  const isPayment = forms.every(
    ({ primaryType }) => primaryType !== "Permit" && primaryType !== "NonceMapping",
  );
  return { isPayment, key: keys.join(), keys, kind: "signature", typedData };
}

function toJson({ domain, message, primaryType, types }: TypedForm): string {
  const chainId = domain.chainId === undefined ? undefined : BigInt(domain.chainId);
  // Wallets expect a number if it is safe.
  const isSafe = chainId !== undefined && chainId <= BigInt(Number.MAX_SAFE_INTEGER);
  const numbered = chainId === undefined ? {} : { chainId: isSafe ? Number(chainId) : `${chainId}` };
  const whole = {
    domain: { ...domain, ...numbered },
    message,
    primaryType,
    types: { EIP712Domain: domainType(domain), ...types },
  };
  return JSON.stringify(whole, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
}

/** The type of a domain's fields, in EIP-712's order. Wallets need it; quotes may omit it. */
export function domainType(domain: object): readonly { readonly name: string; readonly type: string }[] {
  const types = {
    name: "string",
    version: "string",
    chainId: "uint256",
    verifyingContract: "address",
    salt: "bytes32",
  };
  return Object.entries(types).flatMap(([name, type]) =>
    Object.hasOwn(domain, name) ? [{ name, type }] : [],
  );
}
