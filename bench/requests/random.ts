/** Numbers that look random and are the same each time. */
export type Random = {
  /** From 0 to 1. */
  next(): number;
  below(limit: number): number;
  pick<Value>(values: readonly Value[]): Value;
  /** The first ones far more often than the last. */
  skewed<Value>(values: readonly Value[]): Value;
  /** So many bytes, with `0x`. */
  hex(bytes: number): string;
};

/** A generator (mulberry32) that begins at a seed. */
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
