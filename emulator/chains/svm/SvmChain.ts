import type { Address } from "viem";
import type { ShownChain } from "../Chain.ts";

/** A running SVM chain. Outside of its own files, addresses are their 32 bytes in hexadecimal, like on other chains. */
export type SvmChain = ShownChain & {
  /** It has no pools. */
  readonly swap?: undefined;
  /** The solver's account, 32 bytes. */
  readonly solver: Address;
  /** See `svmParts`. Without a type here, the public types need none of the chain's packages. */
  readonly svm: unknown;
  /** Seconds between two entries, at least one; see `RunningChain`. */
  blockSeconds(): number;
  /** Balance in smallest units. */
  balanceOf(currency: Address, account: Address): Promise<bigint>;
  setBalance(currency: Address, account: Address, amount: bigint): Promise<void>;
};

/** Path of the chain's JSON-RPC. */
export const svmRpcPath = "/svm";
