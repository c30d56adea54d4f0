import type { Address } from "viem";
import type { Chain } from "./Chain.ts";

/** Whether an address has code. */
export async function hasCode({ rpc }: Pick<Chain, "rpc">, account: Address): Promise<boolean> {
  return (await rpc("eth_getCode", [account, "latest"])) !== "0x";
}
