import type { Address, PublicClient } from "viem";
import type { ChainDefinition } from "./chainDefinitions.ts";
import type { MiningGate } from "./miningGate.ts";
import type { ChainHead, Rpc } from "./rpc.ts";

/** Generations of the service's router and approval proxy. */
export const routerVersions = ["v3", "v2.1"] as const;

export type RouterVersion = (typeof routerVersions)[number];

/** A currency of a local chain. */
export type LocalCurrency = {
  /** The zero address is the native currency. */
  readonly address: Address;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** Current price of a whole token in units of 1e-18 dollars. @default the default price of its symbol */
  readonly usdPrice?: bigint;
};

/** Currencies of a ledger, the native one first. */
export type Currencies = readonly [LocalCurrency, ...LocalCurrency[]];

/** The service's contracts on a chain, and those that it relies on. */
export type ServiceContracts = {
  readonly depository: Address;
  readonly relayReceiver: Address;
  readonly erc20Router: Address;
  readonly approvalProxy: Address;
  readonly v3: { readonly erc20Router: Address; readonly approvalProxy: Address };
  readonly multicall3: Address;
  readonly multicaller: Address;
  readonly onlyOwnerMulticaller: Address;
  /** Waybill's own contract: `execute` appends a call of it to the calls of a router. */
  readonly outputGuard: Address;
  readonly permit2: Address;
  readonly uniswapV2Router: Address;
};

/** A pool of two currencies. */
export type SwapPair = {
  readonly address: Address;
  /** The lower address first, as the pool orders them. */
  readonly tokens: readonly [Address, Address];
};

/** The Uniswap v2 deployment on which a chain's currencies are swapped. */
export type SwapVenue = {
  readonly factory: Address;
  readonly router: Address;
  /** Wrapped native currency of the router. */
  readonly wrappedNative: Address;
  readonly pairs: readonly SwapPair[];
};

/** The service's deployment on a chain. It never changes. */
export type Deployment = {
  readonly contracts: ServiceContracts;
  readonly currencies: Currencies;
  readonly swap: SwapVenue;
  /** First block that can hold a deposit. Earlier blocks hold the set-up alone. */
  readonly firstBlock: bigint;
};

/** A chain with its connection. */
export type RunningChain = {
  readonly definition: ChainDefinition;
  readonly rpcUrl: string;
  readonly wsRpcUrl: string;
  /** Reads the chain: in this process if the chain runs here, else over HTTP. */
  readonly client: PublicClient;
  /** The same connection, for methods and answers that the client does not support. */
  readonly rpc: Rpc;
  /** The newest known block, without a request to the node. */
  head(): ChainHead;
  /** Shortest observed time between two blocks, in seconds; at least one. */
  blockSeconds(): number;
  /** Subscribes to new blocks and to replacements of the newest one. Returns the function that unsubscribes. */
  onBlock(listener: (head: ChainHead) => void): () => void;
  /**
   * Asks the node whether it still serves this chain. Absent from chains in this process, which cannot be replaced.
   *
   * @throws ChainReplacedError
   */
  readonly confirm?: (() => Promise<void>) | undefined;
  /** Runs work after each request that may change the chain, before the next one. Only on chains in this process. */
  readonly afterChange?: MiningGate["afterChange"] | undefined;
  close(): Promise<void>;
};

/** A running chain with the service deployed. */
export type Chain = RunningChain &
  Deployment & {
    /** Base address of the API without a trailing slash; empty until it listens. Without it, links are paths. */
    readonly siteUrl?: () => string;
  };

/** A ledger as quotes, records and pages show it: an EVM chain or another one. */
export type ShownChain = Pick<Chain, "currencies" | "definition" | "siteUrl">;
