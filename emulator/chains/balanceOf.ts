import { type Address, zeroAddress } from "viem";
import type { Chain } from "./Chain.ts";
import { addressWord, quantitySchema, readWords } from "./rpc.ts";

/** Selector of ERC-20's `balanceOf(address)`. */
const selector = "0x70a08231";

/** What an account holds of a currency, in smallest units. */
export async function balanceOf(
  { rpc }: Pick<Chain, "rpc">,
  currency: Address,
  account: Address,
): Promise<bigint> {
  if (currency === zeroAddress) {
    return quantitySchema.parse(await rpc("eth_getBalance", [account, "latest"]));
  }
  const [balance = 0n] = await readWords(rpc, currency, `${selector}${addressWord(account)}`);
  return balance;
}
