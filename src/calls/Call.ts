import type { Address, Hex } from "viem";

/** One call on the destination chain, in exact types. */
export type Call = {
  readonly to: Address;
  /** Wei. */
  readonly value: bigint;
  readonly data: Hex;
};

/** An entry of a quote's `txs` in wire format. */
export type TxRequest = {
  readonly to: Address;
  /** Wei, as a decimal string. */
  readonly value: string;
  readonly data: Hex;
};
