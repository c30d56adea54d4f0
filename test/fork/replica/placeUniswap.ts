import { type Address, erc20Abi, maxUint128, parseAbi, parseEther, parseUnits } from "viem";
import { pairOf, uniswapFactoryAbi, uniswapPairAbi } from "../../../emulator/chains/setup/uniswap.ts";
import { uniswapArtifact } from "../../helpers/contracts/uniswapV2.ts";
import { mainnet } from "./addresses.ts";
import { type Builder, builder as owner } from "./createBuilder.ts";
import { initCode, type Published, published } from "./publishedCode.ts";

const v3FactoryAbi = parseAbi(["function enableFeeAmount(uint24 fee, int24 tickSpacing)"]);
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

/** A square root of a price of one, in Uniswap v3's fixed point. */
const one = 2n ** 96n;
/** Ticks of the whole range, which are multiples of the spacing. */
const widest = 887_200;
const pools = [
  // The lower address is token0, and the price is of smallest units: 1e18 wei for 2,500e6 units.
  { fee: 500, sqrtPriceX96: one * 20_000n, tokens: pairs[0] },
  { fee: 3000, sqrtPriceX96: (one * 5n) / 100_000n, tokens: pairs[1] },
  { fee: 100, sqrtPriceX96: one, tokens: pairs[2] },
];

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

/** Deploys Uniswap v3 and fills its pools over the whole range. */
export async function placeUniswapV3(builder: Builder): Promise<void> {
  const { factory, positionManager, quoter, quoterV2, swapRouter, swapRouter02 } = mainnet.uniswapV3;
  const core = (name: string) => published(`@uniswap/v3-core/artifacts/contracts/${name}.sol/${name}`);
  const periphery = (path: string) => published(`@uniswap/v3-periphery/artifacts/contracts/${path}`);
  const routers = (path: string) => published(`@uniswap/swap-router-contracts/artifacts/contracts/${path}`);
  const { weth } = mainnet;
  await builder.construct(factory, initCode(core("UniswapV3Factory")));
  await builder.send({
    abi: v3FactoryAbi,
    address: factory,
    args: [100, 1],
    functionName: "enableFeeAmount",
  });
  const manager = periphery("NonfungiblePositionManager.sol/NonfungiblePositionManager");
  // The descriptor draws the pictures of positions: the replica has none.
  await builder.construct(positionManager, initCode(manager, [factory, weth, positionManager]));
  await builder.construct(swapRouter, initCode(periphery("SwapRouter.sol/SwapRouter"), [factory, weth]));
  await builder.construct(quoter, initCode(periphery("lens/Quoter.sol/Quoter"), [factory, weth]));
  await builder.construct(quoterV2, initCode(routers("lens/QuoterV2.sol/QuoterV2"), [factory, weth]));
  await builder.construct(
    swapRouter02,
    initCode(routers("SwapRouter02.sol/SwapRouter02"), [
      mainnet.uniswapV2.factory,
      factory,
      positionManager,
      weth,
    ]),
  );
  for (const address of [mainnet.usdc, mainnet.usdt, weth]) {
    const args = [positionManager, maxUint128];
    await builder.send({ abi: erc20Abi, address, args, functionName: "approve" });
  }
  for (const pool of pools) await fillPool(builder, pool);
}

async function fillPool(builder: Builder, { fee, sqrtPriceX96, tokens }: (typeof pools)[number]) {
  const address = mainnet.uniswapV3.positionManager;
  const [token0, token1] = tokens;
  await builder.send({
    abi: positionsAbi,
    address,
    args: [token0, token1, fee, sqrtPriceX96],
    functionName: "createAndInitializePoolIfNecessary",
  });
  const spacing = fee === 100 ? 1 : fee / 50;
  const tick = widest - (widest % spacing);
  const position = {
    amount0Desired: amounts[token0],
    amount0Min: 0n,
    amount1Desired: amounts[token1],
    amount1Min: 0n,
    deadline: maxUint128,
    fee,
    recipient: owner,
    tickLower: -tick,
    tickUpper: tick,
    token0,
    token1,
  };
  await builder.send({ abi: positionsAbi, address, args: [position], functionName: "mint" });
}
