import { type Address, zeroAddress } from "viem";
import type { Chain } from "./Chain.ts";
import { addressWord, quantitySchema, readWords } from "./rpc.ts";

/** Selectors of ERC-20's `balanceOf(address)` and `allowance(address,address)`. */
const balanceSelector = "0x70a08231";
const allowanceSelector = "0xdd62ed3e";

/** Balance of an account in a currency, in smallest units. */
export async function balanceOf(
  { rpc }: Pick<Chain, "rpc">,
  currency: Address,
  account: Address,
): Promise<bigint> {
  if (currency === zeroAddress) {
    return quantitySchema.parse(await rpc("eth_getBalance", [account, "latest"]));
  }
  const [balance = 0n] = await readWords(rpc, currency, `${balanceSelector}${addressWord(account)}`);
  return balance;
}

/** Allowance that the owner of a token gave to a spender, in smallest units. */
export async function allowanceOf(
  { rpc }: Pick<Chain, "rpc">,
  token: Address,
  { owner, spender }: { readonly owner: Address; readonly spender: Address },
): Promise<bigint> {
  const data = `${allowanceSelector}${addressWord(owner)}${addressWord(spender)}` as const;
  const [allowance = 0n] = await readWords(rpc, token, data);
  return allowance;
}

/** Whether an address has code. */
export async function hasCode({ rpc }: Pick<Chain, "rpc">, account: Address): Promise<boolean> {
  return (await rpc("eth_getCode", [account, "latest"])) !== "0x";
}
