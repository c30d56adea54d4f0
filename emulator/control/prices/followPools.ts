import { formatUnits } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import { uniswapPairAbi } from "../../chains/setup/uniswap.ts";
import type { PriceTable } from "../../money/priceHistory.ts";

type PriceControl = {
  list(): PriceTable;
  set(prices: PriceTable, options: { readonly movePools: boolean }): Promise<PriceTable>;
  repegPools(chainId: number): Promise<unknown>;
};

const digits = 6;

/**
 * Sets the price of ether to that of a fork's own pool, and moves the pools of the other chains there. Forks keep their pools.
 * Nothing changes without a fork that has a pool of wrapped ether and USDC.
 */
export async function followPools(
  prices: PriceControl,
  chains: readonly Pick<Chain, "client" | "currencies" | "definition" | "swap">[],
): Promise<void> {
  const forks = chains.filter(({ definition }) => definition.fork !== undefined);
  for (const fork of forks) {
    const price = await readPrice(fork);
    if (price === undefined) continue;
    if (Number(prices.list()["ETH"]) === Number(price)) return;
    await prices.set({ ETH: price }, { movePools: false });
    for (const { definition } of chains) {
      if (definition.fork === undefined) await prices.repegPools(definition.id);
    }
    return;
  }
}

/** Dollars for an ether in a fork's pool of USDC, as a decimal number. */
async function readPrice({
  client,
  currencies,
  swap,
}: Pick<Chain, "client" | "currencies" | "swap">): Promise<string | undefined> {
  const usdc = currencies.find(({ symbol }) => symbol === "USDC");
  const ether = currencies.find(({ address }) => address === swap.wrappedNative);
  if (usdc === undefined || ether === undefined) return undefined;
  const pair = swap.pairs.find(({ tokens }) =>
    [usdc, ether].every(({ address }) => tokens.includes(address)),
  );
  if (pair === undefined) return undefined;
  const [reserve0, reserve1] = await client.readContract({
    abi: uniswapPairAbi,
    address: pair.address,
    functionName: "getReserves",
  });
  const [dollars, wei] = pair.tokens[0] === usdc.address ? [reserve0, reserve1] : [reserve1, reserve0];
  if (dollars === 0n || wei === 0n) return undefined;
  const scale = 10n ** BigInt(ether.decimals + digits - usdc.decimals);
  return formatUnits((dollars * scale) / wei, digits);
}
