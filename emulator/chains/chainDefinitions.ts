import { defineChain, type Chain as ViemChain } from "viem";
import { InvalidParameterError } from "../../src/errors/InvalidParameterError.ts";
import { exchangeChainId } from "../../src/perps/constants.ts";
import { svmChainId } from "../../src/svm/constants.ts";

/** Programs that run forks: Hardhat's simulator in this process, or anvil in a process of its own. */
export const forkEngines = ["hardhat", "anvil"] as const;

/** One of {@link forkEngines}. */
export type ForkEngine = (typeof forkEngines)[number];

/** State that a fork begins with. */
export type ForkPoint = {
  /** URL that answers reads of the upstream's state. */
  readonly url: string;
  readonly block: number;
  /** Undefined for a fork that runs elsewhere. */
  readonly engine?: ForkEngine | undefined;
};

/** A chain to start. */
export type ChainDefinition = {
  readonly id: number;
  /** The protocol's name of the chain, as orders carry it. */
  readonly name: string;
  readonly displayName: string;
  /** Block and upstream of a fork. */
  readonly fork?: ForkPoint | undefined;
};

/** Every chain that can be started. */
export const localChains: readonly ChainDefinition[] = [
  { displayName: "Alpha", id: 31337, name: "alpha" },
  { displayName: "Beta", id: 31338, name: "beta" },
  { displayName: "Gamma", id: 31339, name: "gamma" },
  { displayName: "Delta", id: 31340, name: "delta" },
  { displayName: "Epsilon", id: 31341, name: "epsilon" },
  { displayName: "Zeta", id: 31342, name: "zeta" },
  { displayName: "Eta", id: 31343, name: "eta" },
  { displayName: "Theta", id: 31344, name: "theta" },
];

/** Number of chains that start by default. */
const defaultChainCount = 2;

/** Ids that clients treat as chains of other virtual machines, even if the chain list says `evm`. */
const reservedIds: ReadonlyMap<number, string> = new Map([
  [exchangeChainId, "the perps exchange"],
  [svmChainId, "an SVM chain"],
  [8_253_038, "a BVM chain"],
]);

/** Default port of the first chain. The others follow, one port each. */
export const firstChainPort = 8545;

/** Which local chains to start. */
export type LocalChainsParameters = {
  /** Number of chains, from 1 to 8. @default 2, or the number of `chainIds` */
  readonly chainCount?: number | undefined;
  /** Their ids, one per chain. @default 31337 and up */
  readonly chainIds?: readonly number[] | undefined;
};

/** The local chains to start. A chain keeps the name of its place, whatever its id. */
export function definitionsOf({ chainCount, chainIds }: LocalChainsParameters): readonly ChainDefinition[] {
  const count = chainCount ?? chainIds?.length ?? defaultChainCount;
  if (chainIds !== undefined) assertIds(chainIds, count);
  if (!Number.isInteger(count) || count < 1 || count > localChains.length) {
    const reason = `it is a whole number from 1 to ${localChains.length}`;
    throw new InvalidParameterError({ parameter: "chainCount", reason });
  }
  return localChains
    .slice(0, count)
    .map((definition, index) => ({ ...definition, id: chainIds?.[index] ?? definition.id }));
}

function assertIds(ids: readonly number[], count: number): void {
  const reason = problemOf(ids, count);
  if (reason !== undefined) throw new InvalidParameterError({ parameter: "chainIds", reason });
}

function problemOf(ids: readonly number[], count: number): string | undefined {
  if (ids.length === 0) return "there is none";
  if (ids.length > localChains.length) return `there can be ${localChains.length}`;
  for (const [index, id] of ids.entries()) {
    if (!Number.isSafeInteger(id) || id < 1) return `${id} is no chain id`;
    const reserved = reservedIds.get(id);
    if (reserved !== undefined) return `${id} is ${reserved}`;
    if (ids.indexOf(id) !== index) return `two of them are ${id}`;
  }
  if (ids.length === count) return undefined;
  const are = count === 1 ? "is 1 chain" : `are ${count} chains`;
  return `there ${are}, and ${ids.length === 1 ? "1 id" : `${ids.length} ids`}`;
}

/** The chain in the form of viem. */
export function viemChain({ displayName, id }: ChainDefinition, rpcUrl: string): ViemChain {
  return defineChain({
    id,
    name: displayName,
    nativeCurrency: { decimals: 18, name: "Ether", symbol: "ETH" },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
}

/** A public chain to fork: a chain that begins with the state of a block. */
export type Fork = {
  /** Chain id of the upstream, which the fork keeps. */
  readonly id: number;
  /** URL of the upstream's JSON-RPC: HTTP or HTTPS. It may contain a key; it is never logged or stored. */
  readonly rpcUrl: string;
  /** Block to begin with. @default the newest one */
  readonly block?: number | undefined;
  /** Program that runs the fork. `anvil` needs the package `@foundry-rs/anvil`. @default "hardhat" */
  readonly engine?: ForkEngine | undefined;
};
