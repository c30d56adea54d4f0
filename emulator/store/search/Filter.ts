import type { CodeColumn, NumberColumn, Value } from "./Column.ts";

/** Keeps those of the first `count` rows that fit, at the beginning and in their order, and says how many they are. */
export type Filter = (rows: Int32Array, count: number) => number;

/** Rows that have one of some values in a column, or, negated, none of them. */
export function byValues(column: CodeColumn, values: readonly Value[], negated: boolean): Filter {
  const { codes } = column;
  const wanted = wantedCodes(column, values);
  const fits = negated ? 0 : 1;
  return (rows, count) => {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i] as number;
      if (wanted[codes[row] as number] === fits) rows[kept++] = row;
    }
    return kept;
  };
}

/** Rows that have one of some values in either of two columns, or, negated, in neither. */
export function byEitherValues(
  columns: readonly [CodeColumn, CodeColumn],
  values: readonly Value[],
  negated: boolean,
): Filter {
  const [first, second] = columns;
  const firstCodes = first.codes;
  const secondCodes = second.codes;
  const firstWanted = wantedCodes(first, values);
  const secondWanted = wantedCodes(second, values);
  const fits = negated ? 0 : 1;
  return (rows, count) => {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i] as number;
      const has =
        (firstWanted[firstCodes[row] as number] as number) |
        (secondWanted[secondCodes[row] as number] as number);
      if (has === fits) rows[kept++] = row;
    }
    return kept;
  };
}

/** Rows of a set, or, negated, all others. */
export function byRows(set: Iterable<number>, size: number, negated: boolean): Filter {
  const marks = new Uint8Array(size);
  for (const row of set) marks[row] = 1;
  const fits = negated ? 0 : 1;
  return (rows, count) => {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i] as number;
      if (marks[row] === fits) rows[kept++] = row;
    }
    return kept;
  };
}

/** Rows whose number lies between two others, which belong to the range. Those that have none do not fit. */
export function byRange({ values }: NumberColumn, from: number, to: number): Filter {
  return (rows, count) => {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i] as number;
      const value = values[row] as number;
      if (value >= from && value <= to) rows[kept++] = row;
    }
    return kept;
  };
}

/** Rows that all of some filters keep. */
export function byAll(filters: readonly Filter[]): Filter {
  return (rows, count) => {
    let kept = count;
    for (const filter of filters) {
      if (kept === 0) return 0;
      kept = filter(rows, kept);
    }
    return kept;
  };
}

/** Rows that one of some filters keeps. A row must not come twice. */
export function byAny(filters: readonly Filter[], size: number): Filter {
  const marks = new Uint8Array(size);
  let scratch = new Int32Array(0);
  return (rows, count) => {
    if (scratch.length < count) scratch = new Int32Array(rows.length);
    for (const filter of filters) {
      scratch.set(rows.subarray(0, count));
      const kept = filter(scratch, count);
      for (let i = 0; i < kept; i++) marks[scratch[i] as number] = 1;
    }
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i] as number;
      if (marks[row] === 1) rows[kept++] = row;
    }
    return kept;
  };
}

/** By code: whether it stands for one of some values. */
function wantedCodes(column: CodeColumn, values: readonly Value[]): Uint8Array {
  const wanted = new Uint8Array(column.size);
  for (const value of values) {
    const code = column.codeOf(value);
    if (code !== undefined) wanted[code] = 1;
  }
  return wanted;
}
