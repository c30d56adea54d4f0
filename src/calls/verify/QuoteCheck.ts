import { zeroAddress } from "viem";
import type { QuoteMismatch, QuoteMismatchCode } from "../../errors/QuoteMismatchError.ts";
import type { Quote } from "../../schema/quote.ts";
import { plain } from "./plain.ts";
import type { Wanted } from "./readWanted.ts";
import type { Trusted } from "./trusted.ts";

/** Everything that the checks of one quote share. */
export type QuoteCheck = {
  readonly quote: Quote;
  readonly wanted: Wanted;
  readonly trusted: Trusted;
  readonly found: QuoteMismatch[];
  /** Unix seconds. */
  readonly now: number;
  /** The id that deposits carry; undefined where there is no order. */
  readonly orderId: string | undefined;
  readonly requestId: string | undefined;
  /** Paths of what pays: there must be one. */
  readonly payments: string[];
};

/** Notes a difference. */
export function differ(
  check: QuoteCheck,
  code: QuoteMismatchCode,
  path: string,
  expected: unknown,
  actual: unknown,
): void {
  check.found.push({ actual: String(actual), code, expected: String(expected), path });
}

/** Notes a difference unless both are the same: hexadecimal in any letter case, numbers in any type. */
export function same(
  check: QuoteCheck,
  code: QuoteMismatchCode,
  path: string,
  expected: unknown,
  actual: unknown,
): void {
  if (plain(expected) !== plain(actual)) differ(check, code, path, expected, actual);
}

/** Notes a difference unless the value is among those that are trusted. */
export function among(
  check: QuoteCheck,
  code: QuoteMismatchCode,
  path: string,
  allowed: ReadonlySet<string>,
  actual: unknown,
): void {
  if (!allowed.has(plain(actual))) differ(check, code, path, [...allowed].join(" or ") || "none", actual);
}

/** The same for what the service owns; without anything known of it there is nothing to compare with. */
export function amongTrusted(
  check: QuoteCheck,
  code: QuoteMismatchCode,
  path: string,
  role: Exclude<keyof Trusted, "isKnown">,
  actual: unknown,
): void {
  if (check.trusted.isKnown) among(check, code, path, check.trusted[role], actual);
}

/** Reads a quantity as JSON carries one, for comparing; what is none stays text. */
export function quantity(value: unknown): unknown {
  try {
    return BigInt(value as string);
  } catch {
    return value;
  }
}

/** Who may get native currency back, or NFTs: accounts of the one who asked. */
export function ownAccounts({ wanted }: QuoteCheck): ReadonlySet<string> {
  const { recipient, refundTo, user } = wanted;
  return new Set([user, recipient, ...(refundTo === undefined ? [] : [refundTo])].map(plain));
}

/** Whether the input is the origin chain's native currency. */
export function paysNative({ wanted }: QuoteCheck): boolean {
  return plain(wanted.originCurrency) === zeroAddress;
}
