import { BaseError } from "./BaseError.ts";

/** Kinds of differences between a quote and the request. */
export type QuoteMismatchCode =
  | "QUOTE_AMOUNT"
  | "QUOTE_BOUNDS"
  | "QUOTE_CALL"
  | "QUOTE_CALLS"
  | "QUOTE_CHAIN"
  | "QUOTE_CURRENCY"
  | "QUOTE_DEADLINE"
  | "QUOTE_DISPLAY"
  | "QUOTE_ENDPOINT"
  | "QUOTE_FORM"
  | "QUOTE_GAS"
  | "QUOTE_ORDER"
  | "QUOTE_ORDER_ID"
  | "QUOTE_OUTPUT"
  | "QUOTE_PAYMENT"
  | "QUOTE_RECIPIENT"
  | "QUOTE_RECORD"
  | "QUOTE_REFUND"
  | "QUOTE_REQUEST_ID"
  | "QUOTE_SENDER"
  | "QUOTE_SIGNATURE"
  | "QUOTE_SIMULATION"
  | "QUOTE_SOLVER"
  | "QUOTE_SPENDER"
  | "QUOTE_TARGET"
  | "QUOTE_UNGUARDED"
  | "QUOTE_UNKNOWN_CHAIN"
  | "QUOTE_UNKNOWN_ROLE"
  | "QUOTE_UNSIGNED_OUTPUT"
  | "QUOTE_VALUE";

/** A difference between a quote and the request. */
export type QuoteMismatch = {
  readonly code: QuoteMismatchCode;
  /** Path in the quote, dotted: `steps.0.items.0.data.to`. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
};

/** A quote differs from the request. The differing items were neither signed nor sent. */
export class QuoteMismatchError extends BaseError {
  override readonly name = "QuoteMismatchError";
  declare readonly actual: string;
  declare readonly expected: string;
  /** All differences; the message describes the first. */
  declare readonly mismatches: readonly QuoteMismatch[];
  declare readonly path: string;

  constructor(mismatches: readonly [QuoteMismatch, ...QuoteMismatch[]]) {
    const [{ actual, code, expected, path }, ...others] = mismatches;
    // A chain or solver without trust: usually an emulator's, under the default trust.
    const isUntrusted = /SOLVER|UNKNOWN_C/.test(mismatches.map((each) => each.code).join());
    super(`The quote is not what was asked for: \`${path}\` is ${actual} instead of ${expected}.`, {
      code,
      metaMessages: [
        ...(isUntrusted ? ["An emulator needs `trust: trustOfEmulator(emulator.info)`."] : []),
        ...others.map((other) => `${other.code} \`${other.path}\`: ${other.actual}, not ${other.expected}`),
      ],
    });
    Object.assign(this, { actual, expected, mismatches, path });
  }
}

/** Throws all differences as one error, if there are any. */
export function throwMismatches([first, ...others]: readonly QuoteMismatch[]): void {
  if (first !== undefined) throw new QuoteMismatchError([first, ...others]);
}
