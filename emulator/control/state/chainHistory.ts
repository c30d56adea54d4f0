import { type Hex, toHex } from "viem";
import type { RunningChain } from "../../chains/Chain.ts";
import type { Change } from "../../chains/miningGate.ts";
import { latestHead } from "../../chains/rpc.ts";
import { ControlRefusedError } from "../../errors/refusals.ts";
import {
  isStateChange,
  openStateJournal,
  type ReplayedBlock,
  readReplay,
  replayBlocks,
} from "./replayBlocks.ts";

/** A state that a chain can revert to. The revert deletes this and all later states on the node. */
export type Checkpoint = {
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  /** Id of the node's snapshot; new after each revert. Absent if the state is replayed. */
  nodeId?: unknown;
  /** How to rebuild the state: the blocks since an older one. */
  readonly replay?: { readonly base: Checkpoint; readonly blocks: readonly ReplayedBlock[] } | undefined;
};

/** The states that one chain can revert to. */
export type ChainHistory = {
  /** Keeps the current state. @returns The checkpoint for `goBack`. */
  keep(): Promise<Checkpoint>;
  /** Reverts to a state, which stays available; later states are lost. */
  goBack(to: Checkpoint): Promise<Checkpoint>;
  has(checkpoint: Checkpoint): boolean;
  /** The state before the last `blocks` blocks; if it cannot be rebuilt, the newest older one. */
  beforeLast(blocks: number): Promise<Checkpoint | undefined>;
  /** Starts to keep the state of each block. @returns A function that ends this. */
  keepBlocks(): Promise<() => void>;
};

const attempts = 20;
/**
 * Estimated bytes of a state in an in-process node. Each state holds a copy of everything ever set by development methods,
 * freed only by a revert. States are therefore kept only as often as the bytes for each block allow.
 */
const stateBytes = 20_000;
const changeBytes = 600;
const bytesPerBlock = 2_000;
/** Maximum size of the journal of development methods, in characters. */
const journalCharacters = 16_000_000;

/** Tracks the states of a chain. No other code may revert the chain. */
export function chainHistory(chain: RunningChain): ChainHistory {
  let kept: Checkpoint[] = [];
  let isKeepingBlocks = false;
  let returns = 0;
  let lastNumber = -1n;
  /** Ranges of blocks that were mined at once; states inside a range cannot be rebuilt. */
  const inside: { readonly after: bigint; readonly upTo: bigint }[] = [];
  const journal = openStateJournal(journalCharacters);
  let last: Promise<unknown> = Promise.resolve();
  // One at a time: a state kept during a revert would belong to neither history.
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  /** Records a new block. @returns Whether several blocks were mined at once. */
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
      // A block mined meanwhile may or may not be part of the snapshot.
      const after = await latestHead(chain.rpc);
      if (before.hash !== after.hash) continue;
      const checkpoint: Checkpoint = { blockHash: after.hash, blockNumber: after.number, nodeId };
      kept.push(checkpoint);
      reach(after.number);
      return checkpoint;
    }
    throw new ControlRefusedError(
      `${chain.definition.name} keeps mining blocks, so its state cannot be kept.`,
    );
  };
  /** Maximum number of blocks between two states. */
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
  /** The state of block `wanted`, if it can be rebuilt from `base`. */
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
    if (index < 0)
      throw new ControlRefusedError("This state was lost when the chain reverted to an older one.");
    if ((await chain.rpc("evm_revert", [base.nodeId])) !== true) {
      throw new ControlRefusedError(`${chain.definition.name} rejected the revert.`);
    }
    // The revert deleted the node's snapshot: holders of the checkpoint get the new id.
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
    // Nodes announce the next block, not the revert. Hardhat's clock would be ahead by the time since the state was kept.
    const { timestamp } = await latestHead(chain.rpc);
    await chain.rpc("evm_setNextBlockTimestamp", [toHex(timestamp + 1n)]);
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
      const follow = async (change: Change) => {
        if (change.isMining) return keepInTurn();
        if (returns > 0 || !isStateChange(change)) return;
        const { method, params } = change;
        journal.write({ after: (await latestHead(chain.rpc)).number, method, params });
      };
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
