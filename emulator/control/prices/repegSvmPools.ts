import { decodeSvmAddress } from "../../../src/svm/address.ts";
import type { LocalCurrency } from "../../chains/Chain.ts";
import type { SvmChain } from "../../chains/svm/SvmChain.ts";
import { svmParts } from "../../chains/svm/svmParts.ts";
import { type PoolTrade, tradeToPrice } from "./repegPools.ts";

/**
 * Moves each pool of the SVM chain to the price table, as if somebody had traded there: its balances change by both sides of the
 * trade.
 *
 * @returns The trades; none for pools that are at their price.
 */
export async function repegSvmPools(chain: SvmChain): Promise<readonly PoolTrade[]> {
  const { ledger, pools } = svmParts(chain);
  const trades: PoolTrade[] = [];
  for (const { address, tokens, vaults } of pools) {
    const [first, second] = tokens.map((token) => currencyOf(chain, token.address));
    if (first === undefined || second === undefined) continue;
    const [held, other] = await ledger.read(
      ({ tokensIn }) => [tokensIn(vaults[0]), tokensIn(vaults[1])] as const,
    );
    const trade = tradeToPrice(decodeSvmAddress({ address }), [
      { currency: first, reserve: held },
      { currency: second, reserve: other },
    ]);
    if (trade === undefined) continue;
    const isFirst = trade.tokenIn === first.address;
    const [taken, given] = [BigInt(trade.amountIn), BigInt(trade.amountOut)];
    await ledger.setBalances([
      { amount: isFirst ? held + taken : held - given, currency: tokens[0].address, owner: address },
      { amount: isFirst ? other - given : other + taken, currency: tokens[1].address, owner: address },
    ]);
    trades.push(trade);
  }
  return trades;
}

function currencyOf({ currencies }: SvmChain, mint: string): LocalCurrency | undefined {
  const address = decodeSvmAddress({ address: mint });
  return currencies.find((currency) => currency.address === address);
}
