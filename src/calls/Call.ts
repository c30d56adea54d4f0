import type { Address, Hex } from "viem";

/** One call on the destination chain, in exact types. */
export type Call = {
  readonly to: Address;
  /** Wei sent along. */
  readonly value: bigint;
  readonly data: Hex;
};

/** One entry of a quote's `txs`, as it goes over the wire. */
export type TxRequest = {
  readonly to: Address;
  /** Wei, as a decimal string. */
  readonly value: string;
  readonly data: Hex;
};
