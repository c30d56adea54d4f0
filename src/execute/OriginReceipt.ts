import type { Hex } from "viem";

/**
 * Receipt of a transaction on the origin chain. For a contract account, it may be a bundler's transaction, whose gas
 * includes other operations.
 */
export type OriginReceipt = {
  readonly blockNumber: bigint;
  readonly gasUsed: bigint;
  readonly status: "reverted" | "success";
  readonly transactionHash: Hex;
};
