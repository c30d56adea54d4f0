import { type Address, zeroAddress } from "viem";
import type { QuoteMismatch, QuoteMismatchCode } from "../../errors/QuoteMismatchError.ts";
import type { Quote } from "../../schema/quote/quote.ts";
import { normalizeForComparison } from "./normalizeForComparison.ts";
import type { OutputClaim } from "./OutputClaim.ts";
import type { Wanted } from "./readWanted.ts";
import type { TrustedChain } from "./TrustRoots.ts";
import type { QuotePolicy } from "./VerifyQuoteParameters.ts";

/** What is known of the chains of a quote. A chain that is not trusted is undefined, and was reported. */
export type KnownChains = {
  readonly origin: TrustedChain | undefined;
  readonly destination: TrustedChain | undefined;
};

/** What pays, and how: there must be one. */
export type Payment = {
  readonly path: string;
  /**
   * - `order`: a deposit for the order.
   * - `own`: the user's own transaction does everything, on one chain.
   * - `request`: under the id of the request, of which the solver signs a record.
   */
  readonly kind: "order" | "own" | "request";
  /** The spender that takes the tokens by an allowance; undefined where none does. */
  readonly puller: string | undefined;
  /** Whether it brings the user's ERC-2612 signature along. */
  readonly bringsPermit?: boolean | undefined;
};

/** Everything that the checks of one quote share. */
export type QuoteCheck = {
  readonly quote: Quote;
  readonly wanted: Wanted;
  readonly policy: QuotePolicy;
  readonly chains: KnownChains;
  readonly solvers: ReadonlySet<string>;
  readonly found: QuoteMismatch[];
  /** Unix seconds. */
  readonly now: number;
  /** The id that deposits carry; undefined where there is no order. */
  readonly orderId: string | undefined;
  readonly requestId: string | undefined;
  readonly payments: Payment[];
  /** ERC-2612 signatures: they permit a payment, and are none. */
  readonly permits: string[];
  readonly approvals: { readonly path: string; readonly spender: string; readonly amount: bigint }[];
  readonly mappings: string[];
  /** What only the chain, or a simulation, can say. */
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

/** Reports a difference unless both are the same: hexadecimal in any letter case, numbers in any type. */
export function expectEqual(
  check: QuoteCheck,
  code: QuoteMismatchCode,
  path: string,
  expected: unknown,
  actual: unknown,
): void {
  if (normalizeForComparison(expected) !== normalizeForComparison(actual)) {
    // `String` throws for an object without `toString`, which an answer may hold.
    const text = typeof actual === "object" ? normalizeForComparison(actual) : String(actual);
    check.found.push({ actual: text, code, expected: String(expected), path });
  }
}

/** Reports an output that is below what must come out. */
export function expectAtLeast(check: QuoteCheck, path: string, limit: bigint, actual: bigint): void {
  if (actual < limit) report(check, "QUOTE_OUTPUT", path, `at least ${limit}`, actual);
}

/** Reports a difference unless the value is among those that are allowed. */
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

/** Reports a difference unless the value is the contract of a role; a role without a contract has a code of its own. */
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

/** Reads a quantity as JSON carries one, for comparing; what is none stays what it is. */
export function quantity(value: unknown): unknown {
  const isPlain =
    typeof value === "bigint" ||
    Number.isSafeInteger(value) ||
    (typeof value === "string" && /^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value));
  return isPlain ? BigInt(value as string) : value;
}

/** Who may get native currency back, or NFTs: accounts of the one who asked. */
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

/** The one input of the quote's order, whose amount a deposit must have. */
export function orderInput({ quote }: QuoteCheck): { amount: bigint; currency: Address } | undefined {
  const payment = quote.protocol?.v2?.orderData?.inputs[0]?.payment;
  if (payment === undefined) return undefined;
  return { amount: BigInt(payment.amount), currency: normalizeForComparison(payment.currency) as Address };
}
