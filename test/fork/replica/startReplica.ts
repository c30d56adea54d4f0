import { toHex } from "viem";
import { openNode, type ReplicaNode } from "./openNode.ts";
import { loadState } from "./stateFile.ts";

/** Blocks above the state: a fork of a chain with fewer would have no block that reorganisations cannot reach. */
const blocks = 256;
const blockSeconds = 12;

/** Starts the replica of Ethereum on a free loopback port. Its newest block has the machine's time. */
export async function startReplica(): Promise<ReplicaNode> {
  const state = await loadState();
  const node = await openNode(Date.now() - (blocks + 1) * blockSeconds * 1_000);
  const { rpc } = node;
  for (const { address, balance, code, nonce, storage } of state) {
    await rpc("hardhat_setCode", [address, code]);
    await rpc("hardhat_setBalance", [address, balance]);
    await rpc("hardhat_setNonce", [address, nonce]);
    for (const [slot, value] of Object.entries(storage)) {
      await rpc("hardhat_setStorageAt", [address, toHex(BigInt(slot)), value]);
    }
  }
  await rpc("hardhat_mine", [toHex(blocks), toHex(blockSeconds)]);
  return node;
}
