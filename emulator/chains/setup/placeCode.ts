import type { Address, Hex } from "viem";
import type { Rpc } from "../rpc.ts";

/** Methods of development nodes that set an account's code. */
const setCodeMethods = ["hardhat_setCode", "anvil_setCode"];

/** Places code at an address, unless the address has code. */
export async function placeCode(rpc: Rpc, address: Address, read: () => Hex): Promise<boolean> {
  if ((await rpc("eth_getCode", [address, "latest"])) !== "0x") return true;
  const code = read();
  for (const method of setCodeMethods) {
    try {
      await rpc(method, [address, code]);
      return true;
    } catch {
      // Not a method of this node.
    }
  }
  return false;
}
