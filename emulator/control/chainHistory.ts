import type { Hex } from "viem";
import type { RunningChain } from "../chains/Chain.ts";
import { latestHead } from "../chains/rpc.ts";
import { ControlRefusedError } from "./ControlRefusedError.ts";

/** A state that a chain can go back to. The node forgets it, and all later ones, when it does. */
export type Checkpoint = {
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  /** The node's own name of it; a new one after each return. */
  readonly nodeId: unknown;
};

/** The states that one chain can go back to, oldest first. */
export type ChainHistory = {
  /** Keeps the present state; pass what it returns to `goBack`. */
  keep(): Promise<Checkpoint>;
  /** Goes back to a state, which can be gone back to again; later ones are lost. */
  goBack(to: Checkpoint): Promise<Checkpoint>;
  has(checkpoint: Checkpoint): boolean;
  /** The state of exactly so many blocks ago, or else the newest older one that is kept. */
  beforeLast(blocks: number): Promise<Checkpoint | undefined>;
  /** Keeps the state of each block from now on, as long as the returned function is not called. */
  keepBlocks(): Promise<() => void>;
};

const attempts = 20;

/** Follows the states of a chain. Nobody else may have it go back. */
export function chainHistory(chain: RunningChain): ChainHistory {
  let kept: Checkpoint[] = [];
  let isKeepingBlocks = false;
  let returns = 0;
  let last: Promise<unknown> = Promise.resolve();
  // A state that is kept while the chain goes back belongs to neither past.
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const keep = async () => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const before = await latestHead(chain.rpc);
      const nodeId = await snapshot(chain);
      // A block that was mined meanwhile may be in it or not.
      const after = await latestHead(chain.rpc);
      if (before.hash !== after.hash) continue;
      const checkpoint = { blockHash: after.hash, blockNumber: after.number, nodeId };
      kept.push(checkpoint);
      return checkpoint;
    }
    throw new ControlRefusedError(`${chain.definition.name} does not stand still.`);
  };
  const keepOnce = async () => {
    const { hash } = await latestHead(chain.rpc);
    if (kept.at(-1)?.blockHash !== hash) await keep();
  };
  const goBack = async (to: Checkpoint) => {
    const index = kept.indexOf(to);
    if (index < 0) throw new ControlRefusedError("The chain went back further since then.");
    if ((await chain.rpc("evm_revert", [to.nodeId])) !== true) {
      throw new ControlRefusedError(`${chain.definition.name} does not go back.`);
    }
    kept = kept.slice(0, index);
    const again = await keep();
    // Nodes do not announce that they went back, only the next block.
    await chain.rpc("evm_mine");
    if (isKeepingBlocks) await keep();
    return again;
  };
  return {
    beforeLast: (blocks) =>
      inTurn(async () => {
        const { number } = await latestHead(chain.rpc);
        return kept.findLast(({ blockNumber }) => blockNumber <= number - BigInt(blocks));
      }),
    goBack: async (to) => {
      // Counted at once: what is mined meanwhile must not wait for the turn that this has.
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
      await inTurn(keep);
      // A state that could not be kept is one that cannot be gone back to; older ones can.
      const keepNew = async () => {
        if (returns === 0) await inTurn(keepOnce).catch(() => undefined);
      };
      // Blocks that come faster than they are announced are kept where the chain runs in this process.
      const ends = [chain.onBlock(keepNew), chain.afterMining?.(keepNew)];
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
    throw new ControlRefusedError(`${definition.name} cannot go back to an earlier state.`, cause);
  }
}
