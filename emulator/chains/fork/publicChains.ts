import type { Address } from "viem";
import type { ChainDefinition } from "../chainDefinitions.ts";

/** Contracts that the emulator uses on a public chain where they stand. */
export type PublicContracts = {
  readonly depository: Address;
  readonly multicall3: Address;
  readonly multicaller: Address;
  readonly onlyOwnerMulticaller: Address;
  readonly usdc?: Address | undefined;
  readonly usdt?: Address | undefined;
  readonly wrappedNative?: Address | undefined;
  readonly uniswapV2?: { readonly factory: Address; readonly router: Address } | undefined;
  readonly routerV2: Address;
  readonly routerV3: Address;
  readonly approvalProxyV2: Address;
  readonly approvalProxyV3: Address;
};

/**
 * Service facts, "Addresses": the same on every chain with the Cancun opcodes. Multicall3 and the multicaller: their own
 * lists. The multicaller of one owner: public copies of the answer of `GET /chains`.
 */
const everywhere: PublicContracts = {
  approvalProxyV2: "0x58cC3e0aA6CD7bf795832A225179ec2d848cE3e7",
  approvalProxyV3: "0xCcC88a9d1B4ED6b0EABA998850414b24f1c315bE",
  depository: "0x4cD00E387622C35bDDB9b4c962C136462338BC31",
  multicall3: "0xcA11bde05977b3631167028862bE2a173976CA11",
  multicaller: "0x0000000000002Bdbf1Bf3279983603Ec279CC6dF",
  onlyOwnerMulticaller: "0xb90ed4c123843cbFD66b11411Ee7694eF37E6E72",
  routerV2: "0x3eC130B627944cad9b2750300ECB0A695DA522B6",
  routerV3: "0xb92fe925DC43a0ECdE6c8b1a2709c170Ec4fFf4f",
};

type PublicChain = Omit<ChainDefinition, "id"> & Partial<PublicContracts>;

/**
 * Tokens as their issuers list them; USDT of Optimism and Arbitrum as in `@bgd-labs/aave-address-book` 4.44.22, which has none for
 * Base. Uniswap's own deployments of v2, as in `@uniswap/sdk-core` 7.19.4.
 */
const chains: Readonly<Record<number, PublicChain>> = {
  1: {
    displayName: "Ethereum",
    name: "ethereum",
    uniswapV2: {
      factory: "0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f",
      router: "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D",
    },
    usdc: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
    usdt: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
    wrappedNative: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
  },
  10: {
    displayName: "Optimism",
    name: "optimism",
    uniswapV2: {
      factory: "0x0c3c1c532F1e39EdF36BE9Fe0bE1410313E074Bf",
      router: "0x4A7b5Da61326A6379179b40d00F57E5bbDC962c2",
    },
    usdt: "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58",
    usdc: "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85",
    wrappedNative: "0x4200000000000000000000000000000000000006",
  },
  8453: {
    displayName: "Base",
    name: "base",
    uniswapV2: {
      factory: "0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6",
      router: "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24",
    },
    usdc: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    wrappedNative: "0x4200000000000000000000000000000000000006",
  },
  42161: {
    displayName: "Arbitrum",
    name: "arbitrum",
    uniswapV2: {
      factory: "0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9",
      router: "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24",
    },
    usdt: "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9",
    usdc: "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
    wrappedNative: "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1",
  },
};

/** Name of a public chain; one made of its id for a chain without an entry. */
export function publicDefinition(id: number): ChainDefinition {
  const { displayName = `Chain ${id}`, name = `chain-${id}` } = chains[id] ?? {};
  return { displayName, id, name };
}

/** Addresses at which the emulator looks for contracts of a public chain. */
export function publicContracts(id: number): PublicContracts {
  return { ...everywhere, ...chains[id] };
}

/** Whether an address is Uniswap's own factory of a public chain. */
export function isPublicFactory(address: Address): boolean {
  return Object.values(chains).some(
    ({ uniswapV2 }) => uniswapV2?.factory.toLowerCase() === address.toLowerCase(),
  );
}
