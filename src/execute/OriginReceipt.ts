import type { Hex } from "viem";

/**
 * What became of a transaction on the origin chain. When the account is a contract, the transaction may be a
 * bundler's, and its gas that of others, too.
 */
export type OriginReceipt = {
  readonly blockNumber: bigint;
  readonly gasUsed: bigint;
  readonly status: "reverted" | "success";
  readonly transactionHash: Hex;
};
