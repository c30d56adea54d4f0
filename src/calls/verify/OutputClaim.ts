import type { Address } from "viem";
import type { RoutedCall } from "./VerifyQuoteParameters.ts";

/** What must be true of the chain when some calls of a router were made. */
export type OutputClaim = {
  /** Of what pays, dotted. */
  readonly path: string;
  /** `gain`: the account has so much more than before. `balance`: it has so much, before the call at `index`. */
  readonly kind: "gain" | "balance";
  readonly currency: Address;
  readonly account: Address;
  readonly minimum: bigint;
  readonly calls: readonly RoutedCall[];
  /** The calls before it bring the output, those from it on spend it. */
  readonly index: number;
  readonly router: Address;
  readonly version: "v2.1" | "v3";
  /** False where a signature fixes the calls, so that a guard cannot be put among them. */
  readonly isOpen: boolean;
};
