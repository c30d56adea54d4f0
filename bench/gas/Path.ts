import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import type { Addressable, ContractTransactionReceipt, ContractTransactionResponse } from "ethers";

/** Typical deposit amounts. Each zero byte fewer in the calldata costs 12 gas. */
export const NATIVE_AMOUNT = 700_000_000_000_000_000n;
export const TOKEN_AMOUNT = 123_456_789n;

/** Fixed deadline of signatures: the zero bytes of a moving one would change the gas. */
export const DEADLINE = 0x7fff_ffff;

/** Sends the transaction to measure; `run` counts from one. */
export type Sending = (run: number) => Promise<ContractTransactionResponse>;

/** Sets up a fresh chain. Returns the path's transaction and the contracts to measure. */
export type Path = (
  ethers: HardhatEthers,
) => Promise<{ readonly ours: readonly Addressable[]; readonly send: Sending }>;

/** Runs the path twice: the first run writes the initial storage, the second is the steady state. */
export async function steadyReceipt(sending: Sending): Promise<ContractTransactionReceipt> {
  await mined(sending(1));
  return mined(sending(2));
}

async function mined(sending: Promise<ContractTransactionResponse>): Promise<ContractTransactionReceipt> {
  const receipt = await (await sending).wait();
  if (receipt === null) throw new Error("The transaction was not mined.");
  return receipt;
}

/** Seconds from the latest block to `DEADLINE`. */
export async function lifetime(ethers: HardhatEthers): Promise<bigint> {
  const block = await ethers.provider.getBlock("latest");
  if (block === null) throw new Error("The local chain has no blocks.");
  return BigInt(DEADLINE - block.timestamp);
}
