import type { Change } from "../../chains/miningGate.ts";

/** A request that changed the state of a chain without a transaction. */
export type StateChange = Pick<Change, "method" | "params"> & {
  /** Number of the newest block at that time. */
  readonly after: bigint;
};

/** What was set on a chain by development methods, oldest first, as far as it is kept. */
export type StateJournal = {
  /** How many were written in all. */
  count(): number;
  write(change: StateChange): void;
  /** Those that came after a block and before the next one. */
  after(block: bigint): readonly StateChange[];
  /** Whether everything since a block is kept. */
  reaches(block: bigint): boolean;
  /** The chain went back to a block: what came after it is lost. */
  goBack(block: bigint): void;
};

/** Methods that set something which lasts beyond the next block. */
const setters = /^(?:hardhat|anvil)_set|^evm_setBlockGasLimit$/;

/** Whether a request changes a state that no transaction explains. */
export function isStateChange({ method }: Pick<Change, "method">): boolean {
  return setters.test(method);
}

/** Begins a journal, which drops the oldest changes where all together are longer than so many characters. */
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
