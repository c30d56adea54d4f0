import type { Abi, Hex } from "viem";

/** Contracts of this package that stand on public chains. */
export const contractNames = [
  "BalanceExecutor",
  "BalanceProxy",
  "ManagedReceiver",
  "ManagedReceiverLens",
  "OrderReceiver",
  "OutputGuard",
  "PinnedReceiver",
  "RecordVerifier",
] as const;

/** One of {@link contractNames}. */
export type ContractName = (typeof contractNames)[number];

/** A contract's artifact: `waybill/artifacts/<contract>.json`. */
export type ContractArtifact = {
  readonly abi: Abi;
  readonly bytecode: Hex;
};
