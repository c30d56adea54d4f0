import { defineChain, type Chain as ViemChain } from "viem";
import { InvalidParameterError } from "../../src/errors/InvalidParameterError.ts";

/** A chain to start. */
export type ChainDefinition = {
  readonly id: number;
  /** The protocol's name of the chain: what orders carry. */
  readonly name: string;
  readonly displayName: string;
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

/** How many start when nothing else is asked for. */
export const defaultChainCount = 2;

/** Where the first of them listens unless told otherwise; the others behind it, one a port. */
export const firstChainPort = 8545;

/**
 * The first so many local chains.
 *
 * @throws InvalidParameterError when there are not so many.
 */
export function firstChains(count: number = defaultChainCount): readonly ChainDefinition[] {
  if (Number.isInteger(count) && count >= 1 && count <= localChains.length)
    return localChains.slice(0, count);
  const reason = `it is a whole number from 1 to ${localChains.length}`;
  throw new InvalidParameterError({ parameter: "chainCount", reason });
}

/** The chain as viem wants it described. */
export function viemChain({ displayName, id }: ChainDefinition, rpcUrl: string): ViemChain {
  return defineChain({
    id,
    name: displayName,
    nativeCurrency: { decimals: 18, name: "Ether", symbol: "ETH" },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
}
