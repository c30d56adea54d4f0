import type { CodeColumn, NumberColumn, Value } from "./Column.ts";

/** Keeps those of the first `count` rows that fit, at the beginning and in their order, and says how many they are. */
export type Filter = (rows: Int32Array, count: number) => number;

// Each loop writes every row and moves on by what is known of it, 0 or 1: a branch would be guessed wrong for every other row,
// and that costs more than all the rest.

/** Rows that have one of some values in a column, or, negated, none of them. */
export function byValues(column: CodeColumn, values: readonly Value[], negated: boolean): Filter {
  return byCodes(column, fittingCodes(column, values, negated));
}

/** Rows whose values have one of the numbers that fit: by number, 1 or 0. */
export function byCodes({ codes }: CodeColumn, fits: Uint8Array): Filter {
  return (rows, count) => {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i] as number;
      rows[kept] = row;
      kept += fits[codes[row] as number] as number;
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
  const firstHas = fittingCodes(first, values, false);
  const secondHas = fittingCodes(second, values, false);
  const flip = negated ? 1 : 0;
  return (rows, count) => {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i] as number;
      rows[kept] = row;
      const has =
        (firstHas[firstCodes[row] as number] as number) | (secondHas[secondCodes[row] as number] as number);
      kept += has ^ flip;
    }
    return kept;
  };
}

/** Rows of a set, or, negated, all others. */
export function byRows(set: Iterable<number>, size: number, negated: boolean): Filter {
  const marks = new Uint8Array(size).fill(negated ? 1 : 0);
  const mark = negated ? 0 : 1;
  for (const row of set) marks[row] = mark;
  return byMarks(marks);
}

/** Rows whose number lies between two others, which belong to the range. Those that have none do not fit. */
export function byRange({ values }: NumberColumn, from: number, to: number): Filter {
  return (rows, count) => {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i] as number;
      const value = values[row] as number;
      rows[kept] = row;
      kept += Number(value >= from) & Number(value <= to);
    }
    return kept;
  };
}

/** Rows that are marked. */
export function byMarks(marks: Uint8Array): Filter {
  return (rows, count) => {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i] as number;
      rows[kept] = row;
      kept += marks[row] as number;
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
  const marked = byMarks(marks);
  let scratch = new Int32Array(0);
  return (rows, count) => {
    if (scratch.length < count) scratch = new Int32Array(rows.length);
    for (const filter of filters) {
      scratch.set(rows.subarray(0, count));
      const kept = filter(scratch, count);
      for (let i = 0; i < kept; i++) marks[scratch[i] as number] = 1;
    }
    return marked(rows, count);
  };
}

/** By code: 1 where it stands for one of some values, or, negated, for none of them. */
function fittingCodes(column: CodeColumn, values: readonly Value[], negated: boolean): Uint8Array {
  const fits = new Uint8Array(column.size).fill(negated ? 1 : 0);
  for (const value of values) {
    const code = column.codeOf(value);
    if (code !== undefined) fits[code] = negated ? 0 : 1;
  }
  return fits;
}
