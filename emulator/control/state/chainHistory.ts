import type { Hex } from "viem";
import type { RunningChain } from "../../chains/Chain.ts";
import type { Change } from "../../chains/miningGate.ts";
import { latestHead } from "../../chains/rpc.ts";
import { ControlRefusedError } from "../../errors/ControlRefusedError.ts";
import { type ReplayedBlock, readReplay, replayBlocks } from "./replayBlocks.ts";
import { isStateChange, openStateJournal } from "./stateJournal.ts";

/** A state that a chain can go back to. The node forgets it, and all later ones, when it does. */
export type Checkpoint = {
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  /** The node's own name of it; a new one after each return. Absent where the state is made again. */
  nodeId?: unknown;
  /** How to make it again: the blocks since an older state. */
  readonly replay?: { readonly base: Checkpoint; readonly blocks: readonly ReplayedBlock[] } | undefined;
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
/**
 * Estimates of what a state costs a node in this process: the node copies everything that was ever set by development methods into
 * each, and frees it only when it goes back. So states are kept as rarely as the bytes for each block allow.
 */
const stateBytes = 20_000;
const changeBytes = 600;
const bytesPerBlock = 2_000;
/** Characters of what was set by development methods that are kept to be set again. */
const journalCharacters = 16_000_000;

/** Follows the states of a chain. Nobody else may have it go back. */
export function chainHistory(chain: RunningChain): ChainHistory {
  let kept: Checkpoint[] = [];
  let isKeepingBlocks = false;
  let returns = 0;
  let lastNumber = -1n;
  /** Blocks that came several at once: no state in between can be made again. */
  const inside: { readonly after: bigint; readonly upTo: bigint }[] = [];
  const journal = openStateJournal(journalCharacters);
  let last: Promise<unknown> = Promise.resolve();
  // A state that is kept while the chain goes back belongs to neither past.
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  /** Takes note of a new block. @returns Whether others came with it. */
  const reach = (number: bigint) => {
    const isLump = number > lastNumber + 1n;
    if (isLump) inside.push({ after: lastNumber, upTo: number });
    lastNumber = number;
    return isLump;
  };
  const keep = async () => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const before = await latestHead(chain.rpc);
      const nodeId = await snapshot(chain);
      // A block that was mined meanwhile may be in it or not.
      const after = await latestHead(chain.rpc);
      if (before.hash !== after.hash) continue;
      const checkpoint: Checkpoint = { blockHash: after.hash, blockNumber: after.number, nodeId };
      kept.push(checkpoint);
      reach(after.number);
      return checkpoint;
    }
    throw new ControlRefusedError(`${chain.definition.name} does not stand still.`);
  };
  /** How many blocks may lie between two states. */
  const spacing = () =>
    chain.afterChange === undefined
      ? 1
      : Math.ceil((stateBytes + changeBytes * journal.count()) / bytesPerBlock);
  const keepNew = async () => {
    const { hash, number } = await latestHead(chain.rpc);
    const newest = kept.at(-1);
    if (newest?.blockHash === hash) return;
    const isLump = reach(number);
    const distance = number - (newest?.blockNumber ?? number);
    if (isLump || newest === undefined || distance >= spacing()) await keep();
  };
  /** A state that can be made again from an older one. */
  const replayed = async (base: Checkpoint, wanted: bigint): Promise<Checkpoint | undefined> => {
    const isInside = inside.some(({ after, upTo }) => after < wanted && base.blockNumber < upTo);
    const isFollowed = chain.afterChange !== undefined && wanted <= lastNumber && !isInside;
    if (!isFollowed || !journal.reaches(base.blockNumber)) return undefined;
    const blocks = await readReplay(chain, base.blockNumber, wanted, journal.after);
    const last = blocks?.at(-1);
    if (blocks === undefined || last === undefined) return undefined;
    return { blockHash: last.hash, blockNumber: wanted, replay: { base, blocks } };
  };
  const goBack = async (to: Checkpoint) => {
    const base = to.replay?.base ?? to;
    const index = kept.indexOf(base);
    if (index < 0) throw new ControlRefusedError("The chain went back further since then.");
    if ((await chain.rpc("evm_revert", [base.nodeId])) !== true) {
      throw new ControlRefusedError(`${chain.definition.name} does not go back.`);
    }
    // The node has forgotten the state; whoever holds it goes on with its new name.
    kept = kept.slice(0, index);
    lastNumber = base.blockNumber;
    base.nodeId = await snapshot(chain);
    kept.push(base);
    if (to.replay !== undefined) {
      await replayBlocks(chain, to.replay.blocks);
      lastNumber = to.blockNumber;
      await keep();
    }
    journal.goBack(lastNumber);
    while ((inside.at(-1)?.upTo ?? 0n) > lastNumber) inside.pop();
    // Nodes do not announce that they went back, only the next block.
    await chain.rpc("evm_mine");
    if (isKeepingBlocks) await keep();
    return base;
  };
  return {
    beforeLast: (blocks) =>
      inTurn(async () => {
        const { number } = await latestHead(chain.rpc);
        const wanted = number - BigInt(blocks);
        const base = kept.findLast(({ blockNumber }) => blockNumber <= wanted);
        if (base === undefined || base.blockNumber === wanted) return base;
        return (await replayed(base, wanted)) ?? base;
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
      // A state that could not be kept is one that cannot be gone back to; older ones can.
      const keepInTurn = async () => {
        if (returns === 0) await inTurn(keepNew).catch(() => undefined);
      };
      const follow = async (change: Change) => {
        if (change.isMining) return keepInTurn();
        if (returns > 0 || !isStateChange(change)) return;
        const { method, params } = change;
        journal.write({ after: (await latestHead(chain.rpc)).number, method, params });
      };
      // Blocks that come faster than they are announced are followed where the chain runs in this process.
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
    throw new ControlRefusedError(`${definition.name} cannot go back to an earlier state.`, cause);
  }
}
