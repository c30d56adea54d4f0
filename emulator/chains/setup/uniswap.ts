import { readFileSync } from "node:fs";
import { join } from "node:path";
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
import { packageRoot } from "../packageRoot.ts";

export const uniswapFactoryAbi = parseAbi([
  "function createPair(address tokenA, address tokenB) returns (address pair)",
  "function getPair(address tokenA, address tokenB) view returns (address pair)",
]);
export const uniswapPairAbi = parseAbi([
  "function mint(address to) returns (uint256 liquidity)",
  "function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)",
]);

type UniswapCode = {
  readonly factory: Hex;
  readonly router: Hex;
  /** CREATE2 hash of a pair, from which pair addresses follow. */
  readonly pairInitHash: Hex;
};

let cached: UniswapCode | undefined;

/** Reads the output of `scripts/generate/uniswapV2.ts`. */
function uniswapCode(): UniswapCode {
  if (cached !== undefined) return cached;
  try {
    const file = join(packageRoot, "artifacts", "UniswapV2.json");
    cached = JSON.parse(readFileSync(file, "utf8")) as UniswapCode;
  } catch (cause) {
    throw new Error("The code of Uniswap v2 is missing: run `npm run setup`.", { cause });
  }
  return cached;
}

/** Init code of the factory; `owner` can switch its fee on. */
export function factoryInitCode(owner: Address): Hex {
  return `${uniswapCode().factory}${encodeAbiParameters([{ type: "address" }], [owner]).slice(2)}`;
}

export function routerInitCode(factory: Address, wrappedNative: Address): Hex {
  const args = encodeAbiParameters([{ type: "address" }, { type: "address" }], [factory, wrappedNative]);
  return `${uniswapCode().router}${args.slice(2)}`;
}

/** Address of the pair of two currencies, deployed or not. */
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
