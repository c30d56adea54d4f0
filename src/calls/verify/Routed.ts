import type { Address, Hex } from "viem";
import type { TrustedRouter } from "./TrustRoots.ts";

/** A call of a router. */
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
  /** The router; undefined for an untrusted one, which is already reported. */
  readonly by: TrustedRouter | undefined;
  /** Whether calls can be inserted. */
  readonly isOpen: boolean;
};
