import type { Address } from "viem";
import type { RoutedCall } from "./Routed.ts";

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

/** What a simulation puts on the router, and in whose name. */
export type SimulatedInput = {
  readonly currency: Address;
  readonly amount: bigint;
  readonly sender: Address;
};

/** Tries what a claim says: what the account would gain or hold, or undefined when a call would fail. */
export type QuoteSimulator = (claim: OutputClaim, input: SimulatedInput) => Promise<bigint | undefined>;
