import type { Address } from "viem";
import type { Chain } from "./Chain.ts";

/** Whether there is code at an address. */
export async function hasCode({ rpc }: Pick<Chain, "rpc">, account: Address): Promise<boolean> {
  return (await rpc("eth_getCode", [account, "latest"])) !== "0x";
}
