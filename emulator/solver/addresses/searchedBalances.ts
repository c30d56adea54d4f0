import { type Address, erc20Abi, zeroAddress } from "viem";
import type { Chain, LocalCurrency } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { lastSearched } from "../receipts/searchedBlocks.ts";
import { settleRelayed } from "../relayed/settleRelayed.ts";

/** Balances of an account at a block up to which every payment is recorded, so that none counts twice. */
export type SearchedBalances = {
  readonly blockNumber: bigint;
  /** Balance in smallest units. */
  balanceOf(currency: LocalCurrency): Promise<bigint>;
};

/** Balances at the last searched block. Sweeps up to it are settled before their money counts as missing. */
export async function searchedBalances(
  address: string,
  chain: Chain,
  context: Context,
): Promise<SearchedBalances> {
  const { number: blockNumber } = await lastSearched(chain, context.store);
  await settleRelayed(chain, context);
  const account = address as Address;
  return {
    balanceOf: ({ address: currency }) => {
      if (currency === zeroAddress) return chain.client.getBalance({ address: account, blockNumber });
      const read = { abi: erc20Abi, address: currency, blockNumber } as const;
      return chain.client.readContract({ ...read, args: [account], functionName: "balanceOf" });
    },
    blockNumber,
  };
}
