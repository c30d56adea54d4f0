import type { Change } from "../../chains/miningGate.ts";

/** An RPC request that changed the state of a chain without a transaction. */
export type StateChange = Pick<Change, "method" | "params"> & {
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
