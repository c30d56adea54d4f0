import type { Address } from "viem";
import type { RoutedCall } from "./routedCalls.ts";

/** A condition that must hold on the chain after some calls of a router. */
export type OutputClaim = {
  /** Path of the payment in the quote, dotted. */
  readonly path: string;
  /**
   * `gain`: the account's balance grows by the amount, from before the call at `index` to after the last. `balance`: it is
   * at least the amount before the call at `index`.
   */
  readonly kind: "gain" | "balance";
  readonly currency: Address;
  readonly account: Address;
  readonly minimum: bigint;
  readonly calls: readonly RoutedCall[];
  /** Index of a call; see `kind`. */
  readonly index: number;
  readonly router: Address;
  readonly version: "v2.1" | "v3";
  /** False when a signature fixes the calls, so that no guard can be inserted. */
  readonly isOpen: boolean;
};

/** Balances and sender of a simulation. */
export type SimulatedInput = {
  readonly currency: Address;
  readonly amount: bigint;
  readonly sender: Address;
};

/** Simulates a claim. Returns the account's gain or balance, or undefined when a call fails. */
export type QuoteSimulator = (claim: OutputClaim, input: SimulatedInput) => Promise<bigint | undefined>;
