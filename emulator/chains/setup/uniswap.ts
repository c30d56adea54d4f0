import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  type Address,
  encodeAbiParameters,
  encodePacked,
  getCreate2Address,
  type Hex,
  keccak256,
  parseAbi,
} from "viem";
import type { SwapPair } from "../Chain.ts";

export const uniswapFactoryAbi = parseAbi([
  "function createPair(address tokenA, address tokenB) returns (address pair)",
  "function getPair(address tokenA, address tokenB) view returns (address pair)",
]);
export const uniswapPairAbi = parseAbi([
  "function mint(address to) returns (uint256 liquidity)",
  "function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)",
]);

/** The published code of Uniswap v2. */
export type UniswapCode = {
  readonly factory: Hex;
  readonly router: Hex;
  /** Pairs are at addresses that follow from it. */
  readonly pairInitHash: Hex;
};

let cached: UniswapCode | undefined;

/**
 * Reads the code that Uniswap published on npm.
 *
 * @throws Error when the router looks for pairs with other code than the factory's: it would find none.
 */
export function uniswapCode(): UniswapCode {
  if (cached !== undefined) return cached;
  const factory = publishedCode("@uniswap/v2-core/build/UniswapV2Factory.json");
  const router = publishedCode("@uniswap/v2-periphery/build/UniswapV2Router02.json");
  const pair = publishedCode("@uniswap/v2-core/build/UniswapV2Pair.json");
  const pairInitHash = keccak256(pair);
  if (!factory.includes(pair.slice(2)) || !router.includes(pairInitHash.slice(2))) {
    throw new Error("The published router and factory of Uniswap v2 do not belong together.");
  }
  cached = { factory, pairInitHash, router };
  return cached;
}

/** What deploys the factory; `owner` could switch its fee on. */
export function factoryInitCode(owner: Address): Hex {
  return `${uniswapCode().factory}${encodeAbiParameters([{ type: "address" }], [owner]).slice(2)}`;
}

/** What deploys the router. */
export function routerInitCode(factory: Address, wrappedNative: Address): Hex {
  const args = encodeAbiParameters([{ type: "address" }, { type: "address" }], [factory, wrappedNative]);
  return `${uniswapCode().router}${args.slice(2)}`;
}

/** Where the pair of two currencies is, deployed or not. */
export function pairOf(factory: Address, tokenA: Address, tokenB: Address): SwapPair {
  const tokens: [Address, Address] =
    tokenA.toLowerCase() < tokenB.toLowerCase() ? [tokenA, tokenB] : [tokenB, tokenA];
  const address = getCreate2Address({
    bytecodeHash: uniswapCode().pairInitHash,
    from: factory,
    salt: keccak256(encodePacked(["address", "address"], tokens)),
  });
  return { address, tokens };
}

function publishedCode(path: string): Hex {
  const file = createRequire(import.meta.url).resolve(path);
  return `0x${(JSON.parse(readFileSync(file, "utf8")) as { bytecode: string }).bytecode}`;
}
