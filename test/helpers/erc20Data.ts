import { type Address, encodeFunctionData, erc20Abi, type Hex } from "viem";

/** Calldata of an ERC-20 call that names an account and an amount in smallest units. */
export function erc20Data(functionName: "approve" | "transfer", account: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, args: [account, amount], functionName });
}
