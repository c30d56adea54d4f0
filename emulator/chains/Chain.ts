import type { Address } from "viem";
import type { RunningChain } from "./startChain.ts";

/** A currency that the local chains know. */
export type LocalCurrency = {
  /** The zero address is the native currency. */
  readonly address: Address;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
};

/** The service's contracts on a chain. */
export type ServiceContracts = {
  readonly depository: Address;
  readonly relayReceiver: Address;
  readonly erc20Router: Address;
  readonly approvalProxy: Address;
  readonly v3: { readonly erc20Router: Address; readonly approvalProxy: Address };
  readonly multicall3: Address;
};

/** A running chain with everything the service needs on it. */
export type Chain = RunningChain & {
  readonly contracts: ServiceContracts;
  /** The native currency first. */
  readonly currencies: readonly LocalCurrency[];
};
