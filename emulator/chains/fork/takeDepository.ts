import { setTimeout } from "node:timers/promises";
import { type Address, encodeFunctionData, type Hex, parseAbi, toHex } from "viem";
import { bytes32Schema, evmAddressSchema } from "../../../src/schema/wire/hex.ts";
import { type Rpc, wasSuccessful } from "../rpc.ts";

const depositoryAbi = parseAbi(["function owner() view returns (address)", "function setAllocator(address)"]);
/** Gas money of the owner, in wei. */
const ownerGas = 10n ** 18n;
/** Longest time until a node mines a transaction, in milliseconds. */
const mostWait = 5_000;

/**
 * Makes an account the allocator of a fork's depository, as its impersonated owner, so that the account's signature moves funds
 * out of it. A depository of other code keeps its allocator.
 */
export async function takeDepository(rpc: Rpc, depository: Address, allocator: Address): Promise<void> {
  const data = encodeFunctionData({ abi: depositoryAbi, functionName: "owner" });
  const answer = await rpc("eth_call", [{ data, to: depository }, "latest"]).catch(() => undefined);
  const word = bytes32Schema.safeParse(answer);
  if (!word.success) return;
  const owner = evmAddressSchema.parse(`0x${word.data.slice(26)}`);
  const held = await rpc("eth_getBalance", [owner, "latest"]);
  await rpc("hardhat_impersonateAccount", [owner]);
  try {
    await rpc("hardhat_setBalance", [owner, toHex(ownerGas)]);
    const call = { abi: depositoryAbi, args: [allocator], functionName: "setAllocator" } as const;
    const transaction = { data: encodeFunctionData(call), from: owner, gas: toHex(200_000), to: depository };
    // Nodes refuse a call that reverts, or mine it without effect.
    const hash = await rpc("eth_sendTransaction", [transaction]).catch(() => undefined);
    if (hash !== undefined) await untilMined(rpc, bytes32Schema.parse(hash));
  } finally {
    await rpc("hardhat_setBalance", [owner, held]);
    await rpc("hardhat_stopImpersonatingAccount", [owner]);
  }
}

/** Anvil answers before it mines, and drops a transaction whose sender has no money or authority any more. */
async function untilMined(rpc: Rpc, hash: Hex): Promise<void> {
  const end = performance.now() + mostWait;
  while ((await wasSuccessful(rpc, hash)) === undefined && performance.now() < end) await setTimeout(10);
}
