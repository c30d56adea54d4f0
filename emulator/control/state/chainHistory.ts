import { type Hex, toHex } from "viem";
import type { RunningChain } from "../../chains/Chain.ts";
import type { Change } from "../../chains/miningGate.ts";
import { latestHead } from "../../chains/rpc.ts";
import { ControlRefusedError } from "../../errors/refusals.ts";

/** A state that a chain can revert to. The revert deletes this and all later states on the node. */
export type Checkpoint = {
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  /** Id of the node's snapshot; new after each revert. */
  nodeId: unknown;
};

/** The states that one chain can revert to. */
export type ChainHistory = {
  /** Keeps the current state. @returns The checkpoint for `goBack`. */
  keep(): Promise<Checkpoint>;
  /** Reverts to a state, which stays available; later states are lost. */
  goBack(to: Checkpoint): Promise<void>;
  has(checkpoint: Checkpoint): boolean;
  /** The state before the last `blocks` blocks; if it was not kept, the newest older one. */
  beforeLast(blocks: number): Promise<Checkpoint | undefined>;
  /** Starts to keep the state of each block. @returns A function that ends this. */
  keepBlocks(): Promise<() => void>;
};

const attempts = 20;

/** Tracks the states of a chain. No other code may revert the chain. */
export function chainHistory(chain: RunningChain): ChainHistory {
  let kept: Checkpoint[] = [];
  let isKeepingBlocks = false;
  let returns = 0;
  let last: Promise<unknown> = Promise.resolve();
  // One at a time: a state kept during a revert would belong to neither history.
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const keep = async () => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const before = await latestHead(chain.rpc);
      const nodeId = await snapshot(chain);
      // A block mined meanwhile may or may not be part of the snapshot.
      const after = await latestHead(chain.rpc);
      if (before.hash !== after.hash) continue;
      const checkpoint: Checkpoint = { blockHash: after.hash, blockNumber: after.number, nodeId };
      kept.push(checkpoint);
      return checkpoint;
    }
    throw new ControlRefusedError(
      `${chain.definition.name} keeps mining blocks, so its state cannot be kept.`,
    );
  };
  const keepNew = async () => {
    const { hash } = await latestHead(chain.rpc);
    if (kept.at(-1)?.blockHash !== hash) await keep();
  };
  const goBack = async (to: Checkpoint) => {
    const index = kept.indexOf(to);
    if (index < 0)
      throw new ControlRefusedError("This state was lost when the chain reverted to an older one.");
    if ((await chain.rpc("evm_revert", [to.nodeId])) !== true) {
      throw new ControlRefusedError(`${chain.definition.name} rejected the revert.`);
    }
    // The revert deleted the node's snapshot: holders of the checkpoint get the new id.
    kept = kept.slice(0, index);
    to.nodeId = await snapshot(chain);
    kept.push(to);
    // Nodes announce the next block, not the revert. Hardhat's clock would be ahead by the time since the state was kept.
    const { timestamp } = await latestHead(chain.rpc);
    await chain.rpc("evm_setNextBlockTimestamp", [toHex(timestamp + 1n)]);
    await chain.rpc("evm_mine");
    if (isKeepingBlocks) await keep();
  };
  return {
    beforeLast: (blocks) =>
      inTurn(async () => {
        const { number } = await latestHead(chain.rpc);
        const wanted = number - BigInt(blocks);
        return kept.findLast(({ blockNumber }) => blockNumber <= wanted);
      }),
    goBack: async (to) => {
      // Counted before its turn: blocks mined by the revert must not wait for that turn.
      returns++;
      try {
        return await inTurn(() => goBack(to));
      } finally {
        returns--;
      }
    },
    has: (checkpoint) => kept.includes(checkpoint),
    keep: () => inTurn(keep),
    keepBlocks: async () => {
      isKeepingBlocks = true;
      // A state that cannot be kept is skipped; older ones remain.
      const keepInTurn = async () => {
        if (returns === 0) await inTurn(keepNew).catch(() => undefined);
      };
      const follow = async ({ isMining }: Change) => (isMining ? keepInTurn() : undefined);
      // `afterChange` of an in-process chain also sees blocks that are mined faster than announced.
      const ends = [chain.onBlock(keepInTurn), chain.afterChange?.(follow)];
      await inTurn(keep);
      return () => {
        isKeepingBlocks = false;
        for (const end of ends) end?.();
      };
    },
  };
}

async function snapshot({ definition, rpc }: RunningChain): Promise<unknown> {
  try {
    return await rpc("evm_snapshot");
  } catch (cause) {
    throw new ControlRefusedError(`${definition.name} cannot keep its state for a later revert.`, cause);
  }
}
