import type { Address, Hex } from "viem";
import type { TrustedRouter } from "./TrustRoots.ts";

/** A call that a router makes. */
export type RoutedCall = {
  readonly target: Address;
  readonly allowFailure: boolean;
  readonly value: bigint;
  readonly callData: Hex;
};

/** The arguments of a router's call. */
export type Routed = {
  readonly calls: readonly RoutedCall[];
  readonly refundTo: string;
  readonly nftRecipient: string;
  /** The request id, appended to the calldata or in the metadata. */
  readonly tag: Hex;
  /** Whose calls these are; undefined when the router is not trusted, and was reported. */
  readonly by: TrustedRouter | undefined;
  /** Whether calls can be added. */
  readonly isOpen: boolean;
};
