import { expect } from "chai";
import { type Address, parseAbi, parseEther, parseEventLogs, parseUnits, zeroAddress } from "viem";
import { mainnet } from "./replica/addresses.ts";
import { assertReverts, type OpenReplica, openReplica, usdc, usdt, weth } from "./support/openReplica.ts";

const v2Abi = parseAbi([
  "function getPair(address, address) view returns (address)",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable returns (uint256[])",
]);
const v3Abi = parseAbi([
  "function getPool(address, address, uint24) view returns (address)",
  "function quoteExactInputSingle(address tokenIn, address tokenOut, uint24 fee, uint256 amountIn, uint160 limit) returns (uint256)",
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Single params) payable returns (uint256)",
]);
const v3NewAbi = parseAbi([
  "struct Quote { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }",
  "function quoteExactInputSingle(Quote params) returns (uint256 amountOut, uint160, uint32, uint256)",
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Single params) payable returns (uint256)",
]);
const positionsAbi = parseAbi([
  "struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "function mint(MintParams params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  "function ownerOf(uint256 tokenId) view returns (address)",
  "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
]);

const deadline = 10n ** 12n;
const oneEther = parseEther("1");
const dollars = (amount: string) => parseUnits(amount, 6);

describe("Uniswap on the replica", () => {
  let replica: OpenReplica;
  before("start the replica", async () => {
    replica = await openReplica();
  });
  after("stop the replica", () => replica.close());

  it("Uniswap v2 from v2-core and v2-periphery: swaps ether for USDC in Ethereum's own pair", async () => {
    const { factory, router } = mainnet.uniswapV2;
    const pair = await replica.reader.readContract({
      abi: v2Abi,
      address: factory,
      args: [usdc, weth],
      functionName: "getPair",
    });
    expect(pair).to.equal("0xB4e16d0168e52d35CaCD2c6185b44281Ec28C9Dc");
    const args = [dollars("2490"), [weth, usdc], replica.user, deadline];
    const swap = () =>
      replica.send({
        abi: v2Abi,
        address: router,
        args,
        functionName: "swapExactETHForTokens",
        value: oneEther,
      });
    expect(Number(await replica.gains(usdc, swap))).to.be.closeTo(Number(dollars("2492.25")), 10 ** 6);
  });

  it("Uniswap v3 from v3-core and v3-periphery: a swap pays the quoted amount from Ethereum's own pool", async () => {
    const { factory, quoter, swapRouter, usdcWeth } = mainnet.uniswapV3;
    const pool = await replica.reader.readContract({
      abi: v3Abi,
      address: factory,
      args: [usdc, weth, 500],
      functionName: "getPool",
    });
    expect(pool).to.equal(usdcWeth);
    const quoted = await replica.reader.simulateContract({
      abi: v3Abi,
      address: quoter,
      args: [weth, usdc, 500, oneEther, 0n],
      functionName: "quoteExactInputSingle",
    });
    const params = {
      amountIn: oneEther,
      amountOutMinimum: quoted.result,
      deadline,
      fee: 500,
      recipient: replica.user,
      sqrtPriceLimitX96: 0n,
      tokenIn: weth,
      tokenOut: usdc,
    };
    const swap = () =>
      replica.send({
        abi: v3Abi,
        address: swapRouter,
        args: [params],
        functionName: "exactInputSingle",
        value: oneEther,
      });
    expect(await replica.gains(usdc, swap)).to.equal(quoted.result);
    await assertReverts(
      replica.reader.simulateContract({
        abi: v3Abi,
        address: swapRouter,
        args: [{ ...params, amountOutMinimum: dollars("2500") }],
        functionName: "exactInputSingle",
        value: oneEther,
        account: replica.user,
      }),
      /Too little received/,
    );
  });

  it("SwapRouter02 and QuoterV2 from swap-router-contracts: a swap of USDC for USDT pays the quoted amount", async () => {
    const { quoterV2, swapRouter02 } = mainnet.uniswapV3;
    const amountIn = dollars("100");
    await replica.mint(usdc, replica.user, amountIn);
    await replica.approve(usdc, swapRouter02, amountIn);
    const single = { amountIn, fee: 100, sqrtPriceLimitX96: 0n, tokenIn: usdc, tokenOut: usdt };
    const { result } = await replica.reader.simulateContract({
      abi: v3NewAbi,
      address: quoterV2,
      args: [single],
      functionName: "quoteExactInputSingle",
    });
    const args = [{ ...single, amountOutMinimum: result[0], recipient: replica.user }];
    const swap = () =>
      replica.send({ abi: v3NewAbi, address: swapRouter02, args, functionName: "exactInputSingle" });
    expect(await replica.gains(usdt, swap)).to.equal(result[0]);
    expect(Number(result[0])).to.be.closeTo(Number(dollars("99.99")), 2_000);
  });

  it("positions of Uniswap v3: a deposit of USDC alone mints an NFT to its recipient", async () => {
    const { positionManager } = mainnet.uniswapV3;
    await replica.mint(usdc, replica.user, dollars("10"));
    await replica.approve(usdc, positionManager, dollars("10"));
    const recipient: Address = "0x000000000000000000000000000000000000bEEF";
    // Above the price, a position is made of the first token alone.
    const params = {
      amount0Desired: dollars("10"),
      amount0Min: 0n,
      amount1Desired: 0n,
      amount1Min: 0n,
      deadline,
      fee: 500,
      recipient,
      tickLower: 300_000,
      tickUpper: 300_010,
      token0: usdc,
      token1: weth,
    };
    const { logs } = await replica.send({
      abi: positionsAbi,
      address: positionManager,
      args: [params],
      functionName: "mint",
    });
    const nft = parseEventLogs({
      abi: positionsAbi,
      logs: logs.filter(({ address }) => address === positionManager.toLowerCase()),
    }).find(({ args }) => args.from === zeroAddress);
    const tokenId = nft?.args.tokenId ?? 0n;
    expect(
      await replica.reader.readContract({
        abi: positionsAbi,
        address: positionManager,
        args: [tokenId],
        functionName: "ownerOf",
      }),
    ).to.equal(recipient);
  });
});
