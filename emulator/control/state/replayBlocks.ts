import { type Hex, toHex } from "viem";
import type { RunningChain } from "../../chains/Chain.ts";
import type { Change } from "../../chains/miningGate.ts";
import { headSchema, latestHead } from "../../chains/rpc.ts";
import { ControlRefusedError } from "../../errors/refusals.ts";
import { transactionsAfter } from "./returnTransactions.ts";

/** An RPC request that changed the state of a chain without a transaction. */
type StateChange = Pick<Change, "method" | "params"> & {
  /** Number of the latest block at that time. */
  readonly after: bigint;
};

/** Journal of state changes by development methods, oldest first, bounded in size. */
type StateJournal = {
  /** Number of changes ever written. */
  count(): number;
  write(change: StateChange): void;
  /** Changes after a block and before the next one. */
  after(block: bigint): readonly StateChange[];
  /** Whether all changes since a block are kept. */
  reaches(block: bigint): boolean;
  /** Drops the changes after a block that the chain reverted to. */
  goBack(block: bigint): void;
};

/** Methods whose effect lasts beyond the next block. */
const setters = /^(?:hardhat|anvil)_set|^evm_setBlockGasLimit$/;

/** Whether a request changes state without a transaction. */
export function isStateChange({ method }: Pick<Change, "method">): boolean {
  return setters.test(method);
}

/** Opens a journal that drops its oldest changes beyond `mostCharacters` of JSON. */
export function openStateJournal(mostCharacters: number): StateJournal {
  let kept: StateChange[] = [];
  let characters = 0;
  let written = 0;
  let lost = -1n;
  const sizeOf = ({ params }: StateChange) => JSON.stringify(params).length;
  return {
    after: (block) => kept.filter(({ after }) => after === block),
    count: () => written,
    goBack: (block) => {
      kept = kept.filter(({ after }) => after < block);
      characters = kept.reduce((sum, change) => sum + sizeOf(change), 0);
    },
    reaches: (block) => block > lost,
    write: (change) => {
      written++;
      kept.push(change);
      characters += sizeOf(change);
      while (characters > mostCharacters) {
        const oldest = kept.shift();
        if (oldest === undefined) return;
        characters -= sizeOf(oldest);
        lost = oldest.after;
      }
    },
  };
}

/** Everything needed to mine a block again with the same hash. */
export type ReplayedBlock = {
  readonly hash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** Signed transactions. */
  readonly raws: readonly Hex[];
  /** Changes by development methods after the previous block. */
  readonly changes: readonly StateChange[];
};

/** Reads the blocks after `base` up to `last`; `undefined` if a signed transaction cannot be rebuilt. */
export async function readReplay(
  { rpc }: RunningChain,
  base: bigint,
  last: bigint,
  changesAfter: (block: bigint) => readonly StateChange[],
): Promise<readonly ReplayedBlock[] | undefined> {
  const blocks: ReplayedBlock[] = [];
  for (let number = base + 1n; number <= last; number++) {
    const { hash, timestamp } = headSchema.parse(await rpc("eth_getBlockByNumber", [toHex(number), false]));
    const signed = await transactionsAfter(rpc, number - 1n, number);
    const raws = signed.flatMap(({ raw }) => (raw === undefined ? [] : [raw]));
    if (raws.length < signed.length) return undefined;
    blocks.push({ changes: changesAfter(number - 1n), hash, raws, timestamp });
  }
  return blocks;
}

/** Mines blocks again on the same state. */
export async function replayBlocks(
  { definition, rpc }: RunningChain,
  blocks: readonly ReplayedBlock[],
): Promise<void> {
  const isAutomining = await rpc("hardhat_getAutomine");
  await rpc("evm_setAutomine", [false]);
  try {
    for (const { changes, hash, raws, timestamp } of blocks) {
      for (const { method, params } of changes) await rpc(method, params);
      await rpc("evm_setNextBlockTimestamp", [toHex(timestamp)]);
      for (const raw of raws) await rpc("eth_sendRawTransaction", [raw]);
      await rpc("evm_mine");
      if ((await latestHead(rpc)).hash !== hash) {
        throw new ControlRefusedError(`${definition.name} mined other blocks on replay.`);
      }
    }
  } finally {
    if (isAutomining === true) await rpc("evm_setAutomine", [true]);
  }
}
