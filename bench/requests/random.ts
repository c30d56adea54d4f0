/** Deterministic pseudo-random values. */
export type Random = {
  /** From 0 to 1. */
  next(): number;
  below(limit: number): number;
  pick<Value>(values: readonly Value[]): Value;
  /** Skewed towards the first items. */
  skewed<Value>(values: readonly Value[]): Value;
  /** Random bytes in hexadecimal, with `0x`. */
  hex(bytes: number): string;
};

/** Creates a generator (mulberry32) from a seed. */
export function randomNumbers(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const at = <Value>(values: readonly Value[], index: number): Value => {
    const value = values[index];
    if (value === undefined) throw new Error("there is nothing to choose from");
    return value;
  };
  return {
    below,
    hex: (bytes) => {
      let digits = "";
      while (digits.length < bytes * 2) digits += below(0x1_0000_0000).toString(16).padStart(8, "0");
      return `0x${digits.slice(0, bytes * 2)}`;
    },
    next,
    pick: (values) => at(values, below(values.length)),
    skewed: (values) => at(values, Math.floor(values.length * next() ** 4)),
  };
}
