import type { Abi, Address, Hex } from "viem";

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
  readonly deployedBytecode: Hex;
  /** Places of each immutable, by the compiler's number of its declaration. */
  readonly immutableReferences: Readonly<
    Record<string, readonly { readonly length: number; readonly start: number }[]>
  >;
};

/** Reads an artifact; rejected artifacts are a broken installation. */
export type ReadArtifact = (name: ContractName) => ContractArtifact;

/** An immutable: its name, and whether it is shown as an address, a number, a flag or a word. */
export type Immutable = { readonly name: string; readonly type: "address" | "bool" | "uint256" | "bytes32" };

const refundPayee: Immutable = { name: "refundPayee", type: "address" };
const solver: Immutable = { name: "solver", type: "address" };
const pinned: readonly Immutable[] = [
  solver,
  { name: "nativePayee", type: "address" },
  { name: "callerMask", type: "bytes32" },
  { name: "receiverWord", type: "bytes32" },
  refundPayee,
];
const order: readonly Immutable[] = [
  solver,
  { name: "depository", type: "address" },
  { name: "chainNameHash", type: "bytes32" },
  { name: "chainId", type: "uint256" },
  refundPayee,
];
const managed: readonly Immutable[] = [
  { name: "domainAddress", type: "address" },
  { name: "domainChainId", type: "uint256" },
  { name: "domainNameHash", type: "bytes32" },
  { name: "domainVersionHash", type: "bytes32" },
  { name: "domainSeparator", type: "bytes32" },
  { name: "callerMask", type: "bytes32" },
  { name: "receiverWord", type: "bytes32" },
  { name: "activationDelay", type: "uint256" },
];

/** Immutables of each contract, in the order of the compiler's numbers. */
export const immutablesOf: Readonly<Record<ContractName, readonly Immutable[]>> = {
  BalanceExecutor: [{ name: "proxy", type: "address" }],
  BalanceProxy: [{ name: "executor", type: "address" }],
  ManagedReceiver: managed,
  ManagedReceiverLens: [],
  OrderReceiver: order,
  OutputGuard: [],
  PinnedReceiver: pinned,
  RecordVerifier: [],
};

/** Whether the contract keeps storage, which another constructor could have filled before it left the same code. */
export function keepsStorage(name: ContractName): boolean {
  return name.includes("Receiver") && name !== "ManagedReceiverLens";
}

/** A value of an immutable, as it is shown. */
export type ImmutableValue = Address | Hex | bigint | boolean;
