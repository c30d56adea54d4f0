import { type Address, erc20Abi, zeroAddress } from "viem";
import type { Chain } from "./Chain.ts";

/** What an account holds of a currency, in smallest units. */
export async function balanceOf(chain: Chain, currency: Address, account: Address): Promise<bigint> {
  if (currency === zeroAddress) return chain.client.getBalance({ address: account });
  return chain.client.readContract({
    abi: erc20Abi,
    address: currency,
    args: [account],
    functionName: "balanceOf",
  });
}
