import type { Address } from "viem";
import type { Call } from "../Call.ts";
import type { CallEffect } from "../callEffects.ts";
import type { RouterVersion } from "../RouterVersion.ts";

/** Every code that `checkCalls` finds. */
export const callFindingCodes = [
  "ALLOWANCE_LEFT",
  "AMOUNT_EXCEEDED",
  "APPROVAL_MISDIRECTED",
  "APPROVAL_MISSING",
  "APPROVAL_NOT_RESET",
  "APPROVAL_SHORT",
  "CONTRACT_WITHOUT_REFUND",
  "FIXED_AMOUNT",
  "LEFTOVER",
  "NO_CODE",
  "SWEEP_BEFORE_SPEND",
  "VALUE_SUM",
  "WRONG_ROUTER",
  "ZERO_SENTINEL",
] as const;

/** One of {@link callFindingCodes}. */
export type CallFindingCode = (typeof callFindingCodes)[number];

/** An error in calls. */
export type CallFinding = {
  readonly code: CallFindingCode;
  /** Index in `txs`; undefined for a finding about all calls. */
  readonly index: number | undefined;
  readonly message: string;
  /** The remedy. */
  readonly fix: string;
  /** `error`: the calls fail or lose money. `warning`: they may. */
  readonly severity: "error" | "warning";
};

/** A call and its effects on balances. */
export type CheckedCall = {
  readonly call: Call;
  readonly effects: readonly CallEffect[];
  readonly index: number;
  /** In lower case. */
  readonly target: Address;
};

/** Input of the checks. Addresses are in lower case. */
export type CallsUnderCheck = {
  readonly amount: bigint;
  readonly currency: Address;
  readonly entries: readonly CheckedCall[];
  readonly isExactInput: boolean;
  readonly isExactOutput: boolean;
  readonly refundTo: string | undefined;
  readonly resetTokens: ReadonlySet<Address>;
  readonly router: Address | undefined;
  readonly routerVersion: RouterVersion | undefined;
  readonly userIsContract: boolean;
  readonly withoutCode: ReadonlySet<Address>;
};
