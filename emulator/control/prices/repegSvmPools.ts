import { decodeSvmAddress } from "../../../src/svm/address.ts";
import type { LocalCurrency } from "../../chains/Chain.ts";
import type { SvmBalance } from "../../chains/svm/createSvmMachine.ts";
import type { SvmChain } from "../../chains/svm/SvmChain.ts";
import { svmParts } from "../../chains/svm/svmParts.ts";
import type { SvmPool } from "../../chains/svm/swap/svmPools.ts";
import { type PoolTrade, tradeToPrice } from "./repegPools.ts";

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
  const [first, second] = tokens.map((token) => currencyOf(chain, token.address));
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

function currencyOf({ currencies }: SvmChain, mint: string): LocalCurrency | undefined {
  const address = decodeSvmAddress({ address: mint });
  return currencies.find((currency) => currency.address === address);
}
