import type { Address } from "viem";
import type { Chain } from "./Chain.ts";
import { addressWord, readWords } from "./rpc.ts";

/** Selector of ERC-20's `allowance(address,address)`. */
const selector = "0xdd62ed3e";

/** What a spender may take of an account's token, in smallest units. */
export async function allowanceOf(
  { rpc }: Pick<Chain, "rpc">,
  token: Address,
  { owner, spender }: { readonly owner: Address; readonly spender: Address },
): Promise<bigint> {
  const data = `${selector}${addressWord(owner)}${addressWord(spender)}` as const;
  const [allowance = 0n] = await readWords(rpc, token, data);
  return allowance;
}
