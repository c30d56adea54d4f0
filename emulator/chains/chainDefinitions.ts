import { defineChain, type Chain as ViemChain } from "viem";

/** A chain to start. */
export type ChainDefinition = {
  readonly id: number;
  /** The protocol's name of the chain: what orders carry. */
  readonly name: string;
  readonly displayName: string;
};

/** The chains that start when nothing else is asked for. */
export const defaultChains: readonly ChainDefinition[] = [
  { displayName: "Alpha", id: 31337, name: "alpha" },
  { displayName: "Beta", id: 31338, name: "beta" },
];

/** Where the default chains listen unless told otherwise. */
export const defaultChainPorts: readonly number[] = [8545, 8546];

/** The chain as viem wants it described. */
export function viemChain({ displayName, id }: ChainDefinition, rpcUrl: string): ViemChain {
  return defineChain({
    id,
    name: displayName,
    nativeCurrency: { decimals: 18, name: "Ether", symbol: "ETH" },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
}
