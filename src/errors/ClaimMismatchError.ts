import { BaseError } from "./BaseError.ts";

/** Kinds of differences between a claim of app fees and the request for it. */
export type ClaimMismatchCode =
  | "CLAIM_AMOUNT"
  | "CLAIM_CHAIN"
  | "CLAIM_CURRENCY"
  | "CLAIM_DEADLINE"
  | "CLAIM_FORM"
  | "CLAIM_OPAQUE"
  | "CLAIM_PAYOUT"
  | "CLAIM_RECIPIENT"
  | "CLAIM_REQUEST_ID"
  | "CLAIM_WALLET";

/** A difference between a claim and the request for it. */
export type ClaimMismatch = {
  readonly code: ClaimMismatchCode;
  /** Path in the service's answer, dotted: `steps.0.items.0.data.sign.value.recipient`. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
};

/** Maximum of further differences in a message. */
const mostNamed = 4;

/** A claim of app fees differs from the request. Nothing was signed. */
export class ClaimMismatchError extends BaseError {
  override readonly name = "ClaimMismatchError";
  declare readonly actual: string;
  declare readonly expected: string;
  /** All differences, the first 20; the message describes the first. */
  declare readonly mismatches: readonly ClaimMismatch[];
  declare readonly path: string;

  constructor(mismatches: readonly [ClaimMismatch, ...ClaimMismatch[]]) {
    const [{ actual, code, expected, path }, ...others] = mismatches;
    super(`The claim is not what was asked for: \`${path}\` is ${actual} instead of ${expected}.`, {
      code,
      metaMessages: others
        .slice(0, mostNamed)
        .map((other) => `${other.code} \`${other.path}\`: ${other.actual}, not ${other.expected}`),
    });
    Object.assign(this, { actual, expected, mismatches, path });
  }
}
