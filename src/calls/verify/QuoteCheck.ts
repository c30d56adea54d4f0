import { type Address, zeroAddress } from "viem";
import type { QuoteMismatch, QuoteMismatchCode } from "../../errors/QuoteMismatchError.ts";
import type { Quote } from "../../schema/quote/quote.ts";
import { normalizeForComparison } from "./normalizeForComparison.ts";
import type { OutputClaim } from "./OutputClaim.ts";
import type { Wanted } from "./readWanted.ts";
import type { TrustedChain } from "./TrustRoots.ts";
import type { QuotePolicy } from "./VerifyQuoteParameters.ts";

/** The trusted chains of a quote. An untrusted chain is undefined and already reported. */
export type KnownChains = {
  readonly origin: TrustedChain | undefined;
  readonly destination: TrustedChain | undefined;
};

/** The payment. A quote must have exactly one. */
export type Payment = {
  readonly path: string;
  /**
   * - `order`: a deposit for the order.
   * - `own`: the user's transaction carries out the whole request, on one chain.
   * - `request`: a payment under the request id, with a signature record of the solver.
   */
  readonly kind: "order" | "own" | "request";
  /** Spender of the allowance; undefined for a payment without one. */
  readonly puller: string | undefined;
  /** Whether the payment includes the user's ERC-2612 signature. */
  readonly bringsPermit?: boolean | undefined;
};

/** State that the checks of a quote share. */
export type QuoteCheck = {
  readonly quote: Quote;
  readonly wanted: Wanted;
  readonly policy: QuotePolicy;
  readonly chains: KnownChains;
  readonly solvers: ReadonlySet<string>;
  readonly found: QuoteMismatch[];
  /** Unix seconds. */
  readonly now: number;
  /** Id that deposits carry; undefined without an order. */
  readonly orderId: string | undefined;
  readonly requestId: string | undefined;
  readonly payments: Payment[];
  /** ERC-2612 signatures. They permit a payment but are none. */
  readonly permits: string[];
  readonly approvals: { readonly path: string; readonly spender: string; readonly amount: bigint }[];
  readonly mappings: string[];
  /** Conditions that only the chain or a simulation can prove. */
  readonly claims: OutputClaim[];
};

/** Reports a difference. */
export function report(
  check: QuoteCheck,
  code: QuoteMismatchCode,
  path: string,
  expected: unknown,
  actual: unknown,
): void {
  check.found.push({
    actual: normalizeForComparison(actual),
    code,
    expected: normalizeForComparison(expected),
    path,
  });
}

/** Reports a difference unless both are equal. Ignores letter case of hexadecimal and the type of numbers. */
export function expectEqual(
  check: QuoteCheck,
  code: QuoteMismatchCode,
  path: string,
  expected: unknown,
  actual: unknown,
): void {
  if (normalizeForComparison(expected) !== normalizeForComparison(actual)) {
    // `String` throws for an object without `toString`, which a response may contain.
    const text = typeof actual === "object" ? normalizeForComparison(actual) : String(actual);
    check.found.push({ actual: text, code, expected: String(expected), path });
  }
}

/** Reports an output below the limit. */
export function expectAtLeast(check: QuoteCheck, path: string, limit: bigint, actual: bigint): void {
  if (actual < limit) report(check, "QUOTE_OUTPUT", path, `at least ${limit}`, actual);
}

/** Reports a difference unless the value is allowed. */
export function expectOneOf(
  check: QuoteCheck,
  code: QuoteMismatchCode,
  path: string,
  allowed: ReadonlySet<string>,
  actual: unknown,
): void {
  if (!allowed.has(normalizeForComparison(actual)))
    report(check, code, path, [...allowed].join(" or ") || "none", actual);
}

/**
 * Reports a difference unless the value is a contract of the role. Reports `QUOTE_UNKNOWN_ROLE` for a role without a
 * contract.
 */
export function expectRole(
  check: QuoteCheck,
  code: QuoteMismatchCode,
  path: string,
  role: string,
  contracts: readonly (string | undefined)[],
  actual: unknown,
): void {
  const known = new Set(contracts.filter((each) => each !== undefined).map(normalizeForComparison));
  if (known.size > 0) expectOneOf(check, code, path, known, actual);
  else if (check.chains.origin !== undefined) {
    report(check, "QUOTE_UNKNOWN_ROLE", path, `a trusted ${role}`, "none is known");
  }
}

/** Converts a JSON quantity to a bigint, for comparison. Returns other values unchanged. */
export function quantity(value: unknown): unknown {
  const isPlain =
    typeof value === "bigint" ||
    Number.isSafeInteger(value) ||
    (typeof value === "string" && /^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value));
  return isPlain ? BigInt(value as string) : value;
}

/** Accounts that may receive native refunds and NFTs: user, recipient, `refundTo`. */
export function ownAccounts({ wanted }: QuoteCheck): ReadonlySet<string> {
  const { recipient, refundTo, user } = wanted;
  return new Set(
    [user, recipient, ...(refundTo === undefined ? [] : [refundTo])].map(normalizeForComparison),
  );
}

/** Whether the input is the origin chain's native currency. */
export function paysNative({ wanted }: QuoteCheck): boolean {
  return normalizeForComparison(wanted.originCurrency) === zeroAddress;
}

/** Whether origin and destination are one chain. */
export function isOneChain({ wanted }: QuoteCheck): boolean {
  return wanted.originChainId === wanted.destinationChainId;
}

/** The single input of the quote's order; a deposit must have its amount. */
export function orderInput({ quote }: QuoteCheck): { amount: bigint; currency: Address } | undefined {
  const payment = quote.protocol?.v2?.orderData?.inputs[0]?.payment;
  if (payment === undefined) return undefined;
  return { amount: BigInt(payment.amount), currency: normalizeForComparison(payment.currency) as Address };
}
