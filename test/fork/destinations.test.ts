import { expect } from "chai";
import { type Address, parseAbi, parseEther, parseUnits, zeroAddress } from "viem";
import { calls } from "../../src/calls/calls.ts";
import { balanceOf } from "../../src/calls/liveBalance.ts";
import { mintNft } from "../../src/calls/recipes/mintNft.ts";
import type { Quote } from "../../src/client/index.ts";
import { erc20Data } from "../helpers/erc20Data.ts";
import { deploy, gained } from "../helpers/localChain.ts";
import { quoteFor, sendAs } from "../helpers/quotes/intents.ts";
import { historyOf } from "../helpers/requests/requestHistory.ts";
import { requestIdOf, runToEnd } from "../helpers/requests/requestRun.ts";
import { mainnet } from "./replica/addresses.ts";
import { useFork } from "./support/useFork.ts";

const { uniswapV3, usdc, weth } = mainnet;
const swapAbi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Single params) payable returns (uint256)",
]);
const quoterAbi = parseAbi([
  "function quoteExactInputSingle(address tokenIn, address tokenOut, uint24 fee, uint256 amountIn, uint160 limit) returns (uint256)",
]);
const positionsAbi = parseAbi([
  "struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "function mint(MintParams params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  "function balanceOf(address owner) view returns (uint256)",
]);

/** Accounts without history on any chain. */
let counter = 0;
const fresh = (): Address => `0x${(0xa11ce_0000_0000n + BigInt(++counter)).toString(16).padStart(40, "0")}`;

describe("destination calls on Ethereum", () => {
  const fork = useFork();
  let proxy: Address;
  before("deploy the proxy", async () => {
    proxy = await deploy(fork.ethereum, "proxy/BalanceProxy");
  });

  const router = () => fork.ethereum.info.contracts.v3.erc20Router;
  const plan = () => calls({ proxy, router: router() });
  /** Fifty dollars of ether from the local chain, that arrive as USDC. */
  const quoteUsdc = (recipient: Address, txs: ReturnType<typeof plan>["txs"]) =>
    quoteFor(fork, { from: "ETH", recipient, to: "USDC", txs: [...txs] });
  const arrives = async (quote: Quote) => {
    const { status } = await runToEnd(fork, quote);
    expect(status).to.equal("success");
    // The router and the proxy are shared: what stays there is anybody's.
    await fork.assertEmpty(usdc, [router(), proxy]);
  };

  /** WETH that Uniswap's quoter returns for USDC. */
  const quoteSwap = async (amountIn: bigint) => {
    const { result } = await fork.ethereum.reader.simulateContract({
      abi: quoterAbi,
      address: uniswapV3.quoter,
      args: [usdc, weth, 500, amountIn, 0n],
      functionName: "quoteExactInputSingle",
    });
    return result;
  };

  it("an NFT mint: the recipient owns a position of Uniswap v3, and the rest of the USDC", async () => {
    const recipient = fresh();
    const price = parseUnits("10", 6);
    const params = {
      amount0Desired: price,
      amount0Min: 0n,
      amount1Desired: 0n,
      amount1Min: 0n,
      deadline: 10n ** 12n,
      fee: 500,
      recipient,
      // Above the price, a position is made of USDC alone.
      tickLower: 300_000,
      tickUpper: 300_010,
      token0: usdc,
      token1: weth,
    };
    const { positionManager: address } = uniswapV3;
    const steps = mintNft({
      abi: positionsAbi,
      address,
      args: [params],
      functionName: "mint",
      mintsTo: "argument",
      price,
      proxy,
      recipient,
      token: usdc,
    });
    const { txs } = plan()
      .add(steps)
      .sweepErc20s({ recipient, tokens: [usdc] });
    const quote = await quoteUsdc(recipient, txs);
    const got = await gained(fork.ethereum, usdc, recipient, () => arrives(quote));
    const owned = await fork.ethereum.reader.readContract({
      abi: positionsAbi,
      address,
      args: [recipient],
      functionName: "balanceOf",
    });
    expect(owned).to.equal(1n);
    // A position rounds what it takes by a unit.
    const rest = BigInt(quote.details?.currencyOut.amount ?? 0) - price;
    expect(Number(got)).to.be.closeTo(Number(rest), 1);
  });

  it("a fill whose swap falls below its minimum reverts, and the deposit comes back", async () => {
    const [recipient, refundTo] = [fresh(), fresh()];
    const swap = (minimum: bigint) => {
      const { txs } = plan()
        .proxyStep(swapStep(recipient, minimum))
        .sweepErc20s({ recipient, tokens: [usdc] });
      return quoteFor(fork, { from: "ETH", recipient, refundTo, to: "USDC", txs: [...txs] });
    };
    // The calls' gas lessens what arrives.
    const amountIn = BigInt((await swap(1n)).details?.currencyOut.amount ?? 0);
    const [tokenIn, tokenOut, fee] = [usdc, weth, 500] as const;
    const quote = await swap(((await quoteSwap(amountIn)) * 999n) / 1_000n);
    // Another trade raises the price of ether before the deposit.
    const trader = fork.ethereum.wallet(9).account.address;
    const trade = parseUnits("3000000", 6);
    await fork.give(usdc, trader, trade);
    await sendAs(fork.ethereum, 9, { data: erc20Data("approve", uniswapV3.swapRouter02, trade), to: usdc });
    await fork.ethereum.wallet(9).writeContract({
      abi: swapAbi,
      address: uniswapV3.swapRouter02,
      args: [
        {
          amountIn: trade,
          amountOutMinimum: 0n,
          fee,
          recipient: trader,
          sqrtPriceLimitX96: 0n,
          tokenIn,
          tokenOut,
        },
      ],
      functionName: "exactInputSingle",
    });
    const { status } = await runToEnd(fork, quote);
    expect(status).to.equal("refund");
    const { failReason } = await historyOf(fork.emulator, requestIdOf(quote));
    expect(failReason).to.equal("TOO_LITTLE_RECEIVED");
    expect(await fork.ethereum.balanceOf(weth, recipient)).to.equal(0n);
    const back = await fork.local.balanceOf(zeroAddress, refundTo);
    expect(back > parseEther("0.019")).to.equal(true);
  });

  /** Swaps all USDC that arrives for WETH. */
  function swapStep(recipient: Address, minimum: bigint) {
    return {
      abi: swapAbi,
      address: uniswapV3.swapRouter02,
      args: [
        {
          amountIn: balanceOf(usdc),
          amountOutMinimum: minimum,
          fee: 500,
          recipient,
          sqrtPriceLimitX96: 0n,
          tokenIn: usdc,
          tokenOut: weth,
        },
      ],
      functionName: "exactInputSingle",
      outputs: [{ minimum, recipient, token: weth }],
      recipient,
      token: usdc,
    } as const;
  }
});
