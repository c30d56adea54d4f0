import type { Hex } from "viem";

/** The newest block of a chain, as far as it is known. */
export type ChainHead = {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** Wei; zero on a chain without a base fee. */
  readonly baseFeePerGas: bigint;
};
