import { toHex } from "viem";
import { buildReplica } from "./buildReplica.ts";
import { openNode, type ReplicaNode } from "./openNode.ts";

/** Blocks above the state: a fork of a chain with fewer would have no block that reorganisations cannot reach. */
const blocks = 256;
const blockSeconds = 12;

/** Starts the replica of Ethereum on a free loopback port. Its newest block has the machine's time. */
export async function startReplica(): Promise<ReplicaNode> {
  const node = await openNode(replicaStart());
  await buildReplica(node.rpc);
  await node.rpc("hardhat_mine", [toHex(blocks), toHex(blockSeconds)]);
  return node;
}

/** Unix milliseconds of the first block of a replica whose newest block has the machine's time. */
export function replicaStart(): number {
  return Date.now() - (blocks + 1) * blockSeconds * 1_000;
}
