/** A value that is compared for being the same; `null` is what a row has none of. */
export type Value = string | number | null;

/** Room for so many rows at first; twice as much whenever it is used up. */
const firstRoom = 1_024;

function roomFor(row: number, room: number): number {
  let wider = Math.max(room, firstRoom);
  while (wider <= row) wider *= 2;
  return wider;
}

/** A number for every row, and what zones of rows have at least and at most: whole zones can be passed by. */
export class NumberColumn {
  /** By row; NaN where a row has none, which lies in no range. */
  values = new Float64Array(0);
  /** By zone. */
  readonly lows: number[] = [];
  /** By zone. What is replaced may have been lower or higher: bounds only ever widen. */
  readonly highs: number[] = [];
  readonly #zoneRows: number;

  /** @param zoneRows So many rows that follow one another are a zone. */
  constructor(zoneRows: number) {
    this.#zoneRows = zoneRows;
  }

  set(row: number, value: number | null): void {
    if (row >= this.values.length) {
      const wider = new Float64Array(roomFor(row, this.values.length));
      wider.set(this.values);
      this.values = wider;
    }
    this.values[row] = value ?? Number.NaN;
    const zone = Math.floor(row / this.#zoneRows);
    this.lows[zone] = Math.min(
      this.lows[zone] ?? Number.POSITIVE_INFINITY,
      value ?? Number.POSITIVE_INFINITY,
    );
    this.highs[zone] = Math.max(
      this.highs[zone] ?? Number.NEGATIVE_INFINITY,
      value ?? Number.NEGATIVE_INFINITY,
    );
  }
}

/** One of several values for every row, kept as the small number that stands for it. */
export class CodeColumn {
  /** By row. */
  codes = new Int32Array(0);
  readonly #codeOf = new Map<Value, number>();
  /** By code: how many rows have it. */
  readonly #counts: number[] = [];

  /** Number of different values that rows have or had. */
  get size(): number {
    return this.#counts.length;
  }

  /** The number of a value; nothing when no row ever had it. */
  codeOf(value: Value): number | undefined {
    return this.#codeOf.get(value);
  }

  /** How many rows have a value. */
  countOf(value: Value): number {
    return this.countAt(this.#codeOf.get(value) ?? -1);
  }

  /** How many rows have the value that a number stands for. */
  countAt(code: number): number {
    return this.#counts[code] ?? 0;
  }

  /** @returns The value's number. */
  add(row: number, value: Value): number {
    if (row >= this.codes.length) {
      const wider = new Int32Array(roomFor(row, this.codes.length));
      wider.set(this.codes);
      this.codes = wider;
    }
    let code = this.#codeOf.get(value);
    if (code === undefined) {
      code = this.#counts.length;
      this.#codeOf.set(value, code);
      this.#counts.push(0);
    }
    this.codes[row] = code;
    this.#counts[code] = (this.#counts[code] ?? 0) + 1;
    return code;
  }

  /**
   * Gives a row that was added another value.
   *
   * @returns The value's number.
   */
  replace(row: number, value: Value): number {
    const before = this.codes[row] as number;
    this.#counts[before] = (this.#counts[before] ?? 0) - 1;
    return this.add(row, value);
  }
}

/** One of very many values for every row, which never changes: each value knows its rows. */
export class PartyColumn extends CodeColumn {
  /** By code: the row that came last. */
  readonly #last: number[] = [];
  /** By row: the row with the same value that came before; -1 at the first. */
  #previous = new Int32Array(0);

  override add(row: number, value: Value): number {
    const code = super.add(row, value);
    if (row >= this.#previous.length) {
      const wider = new Int32Array(this.codes.length);
      wider.set(this.#previous);
      this.#previous = wider;
    }
    this.#previous[row] = this.#last[code] ?? -1;
    this.#last[code] = row;
    return code;
  }

  /** The rows that have a value. */
  *rowsOf(value: Value): Generator<number> {
    const code = this.codeOf(value);
    if (code === undefined) return;
    for (let row = this.#last[code] ?? -1; row >= 0; row = this.#previous[row] as number) yield row;
  }
}

/** Whether each row has something. */
export class MarkColumn {
  /** Those that have it. */
  readonly rows: number[] = [];
  #marks = new Uint8Array(0);

  add(row: number): void {
    this.marks(row + 1)[row] = 1;
    this.rows.push(row);
  }

  /** By row, at least so many: 1 where it has it. */
  marks(size: number): Uint8Array {
    if (size > this.#marks.length) {
      const wider = new Uint8Array(roomFor(size - 1, this.#marks.length));
      wider.set(this.#marks);
      this.#marks = wider;
    }
    return this.#marks;
  }
}
