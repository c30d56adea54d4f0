import { type Address, erc20Abi, maxUint128, parseAbi, parseEther, parseUnits } from "viem";
import { pairOf, uniswapFactoryAbi, uniswapPairAbi } from "../../../emulator/chains/setup/uniswap.ts";
import { uniswapArtifact } from "../../helpers/contracts/uniswapV2.ts";
import { mainnet } from "./addresses.ts";
import { type Builder, builder as owner } from "./createBuilder.ts";
import { initCode, type Published, published } from "./publishedCode.ts";

const positionsAbi = parseAbi([
  "function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)",
  "struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "function mint(MintParams params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
]);

/** Each side of a pool: 25 million dollars at 2,500 dollars per ether. */
const dollars = parseUnits("25000000", 6);
const ether = parseEther("10000");
const amounts: Readonly<Record<Address, bigint>> = {
  [mainnet.usdc]: dollars,
  [mainnet.usdt]: dollars,
  [mainnet.weth]: ether,
};

const pairs = [
  [mainnet.usdc, mainnet.weth],
  [mainnet.weth, mainnet.usdt],
  [mainnet.usdc, mainnet.usdt],
] as const;

/** Deploys the published factory and router of Uniswap v2. */
export async function constructUniswapV2(
  builder: Builder,
  { factory, router }: { readonly factory: Address; readonly router: Address },
  wrappedNative: Address,
): Promise<void> {
  const core = uniswapArtifact("v2-core/build/UniswapV2Factory.json") as Published;
  const periphery = uniswapArtifact("v2-periphery/build/UniswapV2Router02.json") as Published;
  await builder.construct(factory, initCode(core, [owner]));
  await builder.construct(router, initCode(periphery, [factory, wrappedNative]));
}

/** Deploys Uniswap v2 and fills its pairs. */
export async function placeUniswapV2(builder: Builder): Promise<void> {
  const { factory } = mainnet.uniswapV2;
  await constructUniswapV2(builder, mainnet.uniswapV2, mainnet.weth);
  for (const [tokenA, tokenB] of pairs) {
    const { address } = pairOf(factory, tokenA, tokenB);
    await builder.send({
      abi: uniswapFactoryAbi,
      address: factory,
      args: [tokenA, tokenB],
      functionName: "createPair",
    });
    for (const token of [tokenA, tokenB]) {
      const args = [address, amounts[token]];
      await builder.send({ abi: erc20Abi, address: token, args, functionName: "transfer" });
    }
    await builder.send({ abi: uniswapPairAbi, address, args: [owner], functionName: "mint" });
  }
}

/** Deploys Uniswap v3 and fills the pool of USDC and WETH over the whole range. */
export async function placeUniswapV3(builder: Builder): Promise<void> {
  const { factory, positionManager, quoter, swapRouter02 } = mainnet.uniswapV3;
  const core = (name: string) => published(`@uniswap/v3-core/artifacts/contracts/${name}.sol/${name}`);
  const periphery = (path: string) => published(`@uniswap/v3-periphery/artifacts/contracts/${path}`);
  const router = published(
    "@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02",
  );
  const { usdc, weth } = mainnet;
  await builder.construct(factory, initCode(core("UniswapV3Factory")));
  const manager = periphery("NonfungiblePositionManager.sol/NonfungiblePositionManager");
  // The descriptor draws the pictures of positions: the replica has none.
  await builder.construct(positionManager, initCode(manager, [factory, weth, positionManager]));
  await builder.construct(quoter, initCode(periphery("lens/Quoter.sol/Quoter"), [factory, weth]));
  const routerArgs = [mainnet.uniswapV2.factory, factory, positionManager, weth];
  await builder.construct(swapRouter02, initCode(router, routerArgs));
  for (const address of [usdc, weth]) {
    const args = [positionManager, maxUint128];
    await builder.send({ abi: erc20Abi, address, args, functionName: "approve" });
  }
  const fee = 500;
  // The price is of smallest units: 1e18 wei for 2,500e6 units, as a square root in fixed point.
  const sqrtPriceX96 = 2n ** 96n * 20_000n;
  await builder.send({
    abi: positionsAbi,
    address: positionManager,
    args: [usdc, weth, fee, sqrtPriceX96],
    functionName: "createAndInitializePoolIfNecessary",
  });
  const position = {
    amount0Desired: dollars,
    amount0Min: 0n,
    amount1Desired: ether,
    amount1Min: 0n,
    deadline: maxUint128,
    fee,
    recipient: owner,
    tickLower: -887_200,
    tickUpper: 887_200,
    token0: usdc,
    token1: weth,
  };
  await builder.send({
    abi: positionsAbi,
    address: positionManager,
    args: [position],
    functionName: "mint",
  });
}
