import { type Address, encodeFunctionData, erc20Abi, parseAbi } from "viem";
import { decodeSvmAddress } from "../../../src/svm/address.ts";
import type { LocalAccounts } from "../../chains/accounts.ts";
import type { Chain, LocalCurrency, SwapPair } from "../../chains/Chain.ts";
import { balanceOf } from "../../chains/rpc.ts";
import { sendSigned } from "../../chains/setup/sendSetup.ts";
import { uniswapPairAbi } from "../../chains/setup/uniswap.ts";
import type { SvmBalance } from "../../chains/svm/createSvmMachine.ts";
import type { SvmChain } from "../../chains/svm/SvmChain.ts";
import { svmParts } from "../../chains/svm/svmParts.ts";
import type { SvmPool } from "../../chains/svm/swap/svmPools.ts";
import { oneUsd, usdOf } from "../../money/prices.ts";
import { amountOutOf, type Reserves, swappedParts, wholeParts } from "../../money/swapMath.ts";
import { setBalance } from "./setBalance.ts";

const swapAbi = parseAbi(["function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)"]);
/** Precision of compared token values, so that no price is rounded to zero. */
const scale = 10n ** 18n;

/** A trade that moved a pool to the price table. */
export type PoolTrade = {
  readonly pair: Address;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** Smallest units, as is `amountOut`. */
  readonly amountIn: string;
  readonly amountOut: string;
};

/**
 * Trades each pool of a chain to the price table. The trader is the deployer, whose balance is raised as needed;
 * on-chain the trade looks like arbitrage.
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
  const [first, second] = pair.tokens;
  const sides = [
    { currency: currencyOf(chain, first), reserve: reserve0 },
    { currency: currencyOf(chain, second), reserve: reserve1 },
  ] as const;
  return tradeToPrice(pair.address, sides);
}

/** A currency of a pool, and what the pool holds of it. */
type PoolSide = { readonly currency: LocalCurrency; readonly reserve: bigint };

/** The trade that moves a pool to the price table; `undefined` for one that is there. */
function tradeToPrice(pair: Address, [first, second]: readonly [PoolSide, PoolSide]): PoolTrade | undefined {
  const sides = [
    { in: first.currency, out: second.currency, reserveIn: first.reserve, reserveOut: second.reserve },
    { in: second.currency, out: first.currency, reserveIn: second.reserve, reserveOut: first.reserve },
  ];
  for (const { in: tokenIn, out: tokenOut, reserveIn, reserveOut } of sides) {
    const target = { denominator: unitValue(tokenIn), numerator: unitValue(tokenOut) };
    const amountIn = arbitrageInput({ reserveIn, reserveOut, target });
    if (amountIn <= 0n) continue;
    const amountOut = amountOutOf({ reserveIn, reserveOut }, amountIn);
    if (amountOut === 0n) continue;
    return {
      amountIn: amountIn.toString(),
      amountOut: amountOut.toString(),
      pair,
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
  // The deployer's own balance is spent first, so that as little as possible is minted.
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

/** Value of one smallest unit, for comparison only. */
function unitValue(currency: LocalCurrency): bigint {
  return (
    (usdOf(10n ** BigInt(currency.decimals), currency) * scale * oneUsd) / 10n ** BigInt(currency.decimals)
  );
}

type PoolState = Reserves & {
  /** `reserveIn / reserveOut` after the trade, as a fraction. */
  readonly target: { readonly numerator: bigint; readonly denominator: bigint };
};

/**
 * Input that moves the pool to its target price, fee included. Zero or less if the pool is at the price already or must
 * be traded the other way. With `a` in, the reserves become `rIn + a` and `1000·rIn·rOut / (1000·rIn + 997·a)`; their
 * ratio is a quadratic in `a`.
 */
export function arbitrageInput({ reserveIn, reserveOut, target }: PoolState): bigint {
  const wanted = (reserveOut * target.numerator) / target.denominator;
  const a = swappedParts;
  const b = (swappedParts + wholeParts) * reserveIn;
  const c = wholeParts * reserveIn * (reserveIn - wanted);
  const discriminant = b * b - 4n * a * c;
  return discriminant < 0n ? 0n : (squareRoot(discriminant) - b) / (2n * a);
}

/** Integer square root, rounded down. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/**
 * Moves each pool of the SVM chain to the price table, as if somebody had traded there: its balances change by both
 * sides of the trade. No payment is executed meanwhile: the trades would undo it.
 */
export async function repegSvmPools(chain: SvmChain): Promise<readonly PoolTrade[]> {
  const { ledger, pools } = svmParts(chain);
  let trades: readonly RepeggedPool[] = [];
  await ledger.setBalances(({ tokensIn }) => {
    trades = pools.flatMap((pool) =>
      tradeOf(chain, pool, [tokensIn(pool.vaults[0]), tokensIn(pool.vaults[1])]),
    );
    return trades.flatMap(({ balances }) => balances);
  });
  return trades.map(({ trade }) => trade);
}

type RepeggedPool = { readonly trade: PoolTrade; readonly balances: readonly SvmBalance[] };

/** The trade of a pool with its balances afterwards; none for a pool that is at its price. */
function tradeOf(
  chain: SvmChain,
  { address, tokens }: SvmPool,
  [held, other]: readonly [bigint, bigint],
): readonly RepeggedPool[] {
  const [first, second] = tokens.map((token) => findSvmCurrency(chain, token.address));
  if (first === undefined || second === undefined) return [];
  const trade = tradeToPrice(decodeSvmAddress({ address }), [
    { currency: first, reserve: held },
    { currency: second, reserve: other },
  ]);
  if (trade === undefined) return [];
  const isFirst = trade.tokenIn === first.address;
  const [taken, given] = [BigInt(trade.amountIn), BigInt(trade.amountOut)];
  const balances = [
    { amount: isFirst ? held + taken : held - given, currency: tokens[0].address, owner: address },
    { amount: isFirst ? other - given : other + taken, currency: tokens[1].address, owner: address },
  ];
  return [{ balances, trade }];
}

function findSvmCurrency({ currencies }: SvmChain, mint: string): LocalCurrency | undefined {
  const address = decodeSvmAddress({ address: mint });
  return currencies.find((currency) => currency.address === address);
}
