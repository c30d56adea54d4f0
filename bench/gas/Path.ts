import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import type { Addressable, ContractTransactionReceipt, ContractTransactionResponse } from "ethers";

/** Two zero bytes fewer or more in an amount move the figure by 24; these are what such deposits look like. */
export const NATIVE_AMOUNT = 700_000_000_000_000_000n;
export const TOKEN_AMOUNT = 123_456_789n;

/** Until when what is signed holds: fixed, because the bytes of a time that passes would cost something else each day. */
export const DEADLINE = 0x7fff_ffff;

/** Sends the transaction to measure; `run` counts from one. */
export type Sending = (run: number) => Promise<ContractTransactionResponse>;

/** Sets the stage on a fresh chain, and says how the path is taken and which of its contracts are measured. */
export type Path = (
  ethers: HardhatEthers,
) => Promise<{ readonly ours: readonly Addressable[]; readonly send: Sending }>;

/** Takes the path twice: the first run warms what a first payment pays for, the second is the steady state. */
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
