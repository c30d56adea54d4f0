import { type Address, encodeFunctionData, erc20Abi, parseAbi } from "viem";
import type { LocalAccounts } from "../../chains/accounts.ts";
import { balanceOf } from "../../chains/balanceOf.ts";
import type { Chain, LocalCurrency, SwapPair } from "../../chains/Chain.ts";
import { sendSigned } from "../../chains/setup/sendSetup.ts";
import { uniswapPairAbi } from "../../chains/setup/uniswap.ts";
import { oneUsd, usdOf } from "../../money/prices.ts";
import { amountOutOf, arbitrageInput } from "./arbitrage.ts";
import { setBalance } from "./setBalance.ts";

const swapAbi = parseAbi(["function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)"]);
/** What a whole token is worth is compared to this precision, so that no price is rounded to nothing. */
const scale = 10n ** 18n;

/** A trade that brought a pool to the price table. */
export type PoolTrade = {
  readonly pair: Address;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** Smallest units, as the ones below. */
  readonly amountIn: string;
  readonly amountOut: string;
};

/**
 * Trades in each pool of a chain until it has the price of the price table. The trader is the deployer, who is given what it
 * lacks for that: to all others the trade is an arbitrage.
 *
 * @returns The trades; none for pools that are where they should be.
 */
export async function repegPools(chain: Chain, accounts: LocalAccounts): Promise<readonly PoolTrade[]> {
  const trades: PoolTrade[] = [];
  for (const pair of chain.swap.pairs) {
    const trade = await planTrade(chain, pair);
    if (trade === undefined) continue;
    await perform(chain, pair, trade, accounts);
    trades.push(trade);
  }
  return trades;
}

async function planTrade(chain: Chain, pair: SwapPair): Promise<PoolTrade | undefined> {
  const [reserve0, reserve1] = await chain.client.readContract({
    abi: uniswapPairAbi,
    address: pair.address,
    functionName: "getReserves",
  });
  const [token0, token1] = pair.tokens.map((token) => currencyOf(chain, token));
  if (token0 === undefined || token1 === undefined) return undefined;
  const sides = [
    { in: token0, out: token1, reserveIn: reserve0, reserveOut: reserve1 },
    { in: token1, out: token0, reserveIn: reserve1, reserveOut: reserve0 },
  ];
  for (const { in: tokenIn, out: tokenOut, reserveIn, reserveOut } of sides) {
    const target = { denominator: unitValue(tokenIn), numerator: unitValue(tokenOut) };
    const amountIn = arbitrageInput({ reserveIn, reserveOut, target });
    if (amountIn <= 0n) continue;
    const amountOut = amountOutOf(amountIn, reserveIn, reserveOut);
    if (amountOut === 0n) continue;
    return {
      amountIn: amountIn.toString(),
      amountOut: amountOut.toString(),
      pair: pair.address,
      tokenIn: tokenIn.address,
      tokenOut: tokenOut.address,
    };
  }
  return undefined;
}

async function perform(
  chain: Chain,
  { address, tokens }: SwapPair,
  { amountIn, amountOut, tokenIn }: PoolTrade,
  { deployer }: LocalAccounts,
): Promise<void> {
  const trader = deployer.account.address;
  const amount = BigInt(amountIn);
  // What earlier trades brought in is spent first, so that no more comes into the world than must.
  const held = await balanceOf(chain, tokenIn, trader);
  if (held < amount) await setBalance(chain, { account: trader, amount, currency: tokenIn });
  const out = BigInt(amountOut);
  const isFirst = tokenIn === tokens[0];
  await sendSigned(chain, deployer, [
    {
      data: encodeFunctionData({
        abi: erc20Abi,
        args: [address, amount],
        functionName: "transfer",
      }),
      to: tokenIn,
    },
    {
      data: encodeFunctionData({
        abi: swapAbi,
        args: [isFirst ? 0n : out, isFirst ? out : 0n, trader, "0x"],
        functionName: "swap",
      }),
      to: address,
    },
  ]);
}

function currencyOf({ currencies }: Chain, token: Address): LocalCurrency {
  const found = currencies.find(({ address }) => address.toLowerCase() === token.toLowerCase());
  if (found === undefined) throw new Error(`there is no currency ${token}`);
  return found;
}

/** What one smallest unit is worth; only for comparing two of them. */
function unitValue(currency: LocalCurrency): bigint {
  return (
    (usdOf(10n ** BigInt(currency.decimals), currency) * scale * oneUsd) / 10n ** BigInt(currency.decimals)
  );
}
