import { type Address, encodePacked, getCreate2Address, type Hex, keccak256, parseAbi } from "viem";
import type { SwapPair } from "../Chain.ts";
import { isPublicFactory } from "../fork/publicChains.ts";
import { readArtifact } from "./placeContracts.ts";

export const uniswapFactoryAbi = parseAbi([
  "function createPair(address tokenA, address tokenB) returns (address pair)",
  "function getPair(address tokenA, address tokenB) view returns (address pair)",
]);
export const uniswapPairAbi = parseAbi([
  "function mint(address to) returns (uint256 liquidity)",
  "function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)",
]);

/** Hash of the code of a pair of Uniswap's own factories, which forks have; its periphery library names it. */
const publicPairHash: Hex = "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f";

let localPairHash: Hex | undefined;

/** Address of the pair of two currencies, deployed or not. */
export function pairOf(factory: Address, tokenA: Address, tokenB: Address): SwapPair {
  const tokens: [Address, Address] =
    tokenA.toLowerCase() < tokenB.toLowerCase() ? [tokenA, tokenB] : [tokenB, tokenA];
  localPairHash ??= keccak256(readArtifact("service/venue/LocalSwapPair").bytecode);
  const address = getCreate2Address({
    bytecodeHash: isPublicFactory(factory) ? publicPairHash : localPairHash,
    from: factory,
    salt: keccak256(encodePacked(["address", "address"], tokens)),
  });
  return { address, tokens };
}
