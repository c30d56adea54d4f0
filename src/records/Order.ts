import type { Hex } from "viem";

/**
 * A protocol order (`protocol.v2.orderData` of a quote) in exact types.
 *
 * Chain ids are protocol names (`base`); addresses are the raw bytes of the chain's VM (20 for EVM).
 */
export type Order = {
  readonly version: string;
  readonly solverChainId: string;
  readonly solver: Hex;
  readonly salt: bigint;
  readonly inputs: readonly OrderInput[];
  readonly output: OrderOutput;
  readonly fees: readonly OrderFee[];
};

/** A payment option of the order, with its refunds. */
export type OrderInput = {
  readonly payment: {
    readonly chainId: string;
    readonly currency: Hex;
    readonly amount: bigint;
    readonly weight: bigint;
  };
  readonly refunds: readonly {
    readonly chainId: string;
    readonly recipient: Hex;
    readonly currency: Hex;
    readonly minimumAmount: bigint;
    /** Unix seconds. */
    readonly deadline: number;
    readonly extraData: Hex;
  }[];
};

/** The solver's obligation on the destination chain. */
export type OrderOutput = {
  readonly chainId: string;
  readonly payments: readonly {
    readonly recipient: Hex;
    readonly currency: Hex;
    readonly minimumAmount: bigint;
    readonly expectedAmount: bigint;
  }[];
  readonly calls: readonly Hex[];
  /** Unix seconds. */
  readonly deadline: number;
  /** `abi.encode(address fillContract)` on EVM chains: the v3 router. */
  readonly extraData: Hex;
};

/** A fee to `recipient`, paid from the settlement. */
export type OrderFee = {
  readonly recipientChainId: string;
  readonly recipient: Hex;
  readonly currencyChainId: string;
  readonly currency: Hex;
  readonly amount: bigint;
};
