import type { Address, PublicClient } from "viem";
import type { ChainDefinition } from "./chainDefinitions.ts";
import type { MiningGate } from "./miningGate.ts";
import type { ChainHead, Rpc } from "./rpc.ts";

/** A currency that the local chains know. */
export type LocalCurrency = {
  /** The zero address is the native currency. */
  readonly address: Address;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** Dollars for a whole token at present, in units of 1e-18; what it is worth by default where nobody keeps prices. */
  readonly usdPrice?: bigint;
};

/** The service's contracts on a chain, and those that it relies on. */
export type ServiceContracts = {
  readonly depository: Address;
  readonly relayReceiver: Address;
  readonly erc20Router: Address;
  readonly approvalProxy: Address;
  readonly v3: { readonly erc20Router: Address; readonly approvalProxy: Address };
  readonly multicall3: Address;
  /** Not the service's: what `execute` puts behind the calls of a router. */
  readonly outputGuard: Address;
  readonly permit2: Address;
  readonly uniswapV2Router: Address;
};

/** A pool of two currencies. */
export type SwapPair = {
  readonly address: Address;
  /** In the pool's own order: the lower address first. */
  readonly tokens: readonly [Address, Address];
};

/** Where currencies of a chain are exchanged: Uniswap v2. */
export type SwapVenue = {
  readonly factory: Address;
  readonly router: Address;
  /** The wrapped native currency that the router knows. */
  readonly wrappedNative: Address;
  readonly pairs: readonly SwapPair[];
};

/** What the service put on a chain; it stays the same for as long as the chain lives. */
export type Deployment = {
  readonly contracts: ServiceContracts;
  /** The native currency first. */
  readonly currencies: readonly LocalCurrency[];
  readonly swap: SwapVenue;
  /** Blocks before it hold nothing but the set-up: deposits are searched from here. */
  readonly firstBlock: bigint;
};

/** A chain that can be spoken to. */
export type RunningChain = {
  readonly definition: ChainDefinition;
  readonly rpcUrl: string;
  readonly wsRpcUrl: string;
  /** Reads the chain: within this process where the chain runs in it, else over HTTP. */
  readonly client: PublicClient;
  /** The same way, for methods and shapes that the client does not have. */
  readonly rpc: Rpc;
  /** The newest block without asking the node. It follows the chain by itself. */
  head(): ChainHead;
  /** Seconds from one block to the next, as seen so far, at least one. */
  blockSeconds(): number;
  /** Has a function called at each new block, and when the newest block is replaced. Call what it returns to end that. */
  onBlock(listener: (head: ChainHead) => void): () => void;
  /**
   * Asks the node whether it still is one of this chain; absent where nothing else can take its place.
   *
   * @throws ChainReplacedError
   */
  readonly confirm?: (() => Promise<void>) | undefined;
  /** Of chains in this process: has work done after each request that may change them, before the next one. */
  readonly afterChange?: MiningGate["afterChange"] | undefined;
  close(): Promise<void>;
};

/** A running chain with everything the service needs on it. */
export type Chain = RunningChain &
  Deployment & {
    /** Address of the API without a slash at its end; empty until it listens. Left out, links are paths. */
    readonly siteUrl?: () => string;
  };
