/** Steps from one power of two to the next. */
const stepsPerDoubling = 8;

/** Rows of values that are about the same. */
export type Magnitude = {
  /** No value is below. */
  readonly low: number;
  /** Nor above. */
  readonly high: number;
  /** In the order in which they came. */
  readonly rows: readonly number[];
};

/**
 * Rows by the magnitude of a value that never changes: whoever looks for the largest or smallest begins where they are, and
 * a row costs nothing to add, which it would where rows are kept in order.
 */
export class Magnitudes {
  readonly #magnitudes: (Magnitude & { low: number; high: number; rows: number[] })[] = [];

  add(row: number, value: number): void {
    const step = Math.floor(Math.log2(Math.max(0, value) + 1) * stepsPerDoubling);
    const magnitude = this.#magnitudes[step];
    if (magnitude === undefined) {
      this.#magnitudes[step] = { high: value, low: value, rows: [row] };
      return;
    }
    magnitude.high = Math.max(magnitude.high, value);
    magnitude.low = Math.min(magnitude.low, value);
    magnitude.rows.push(row);
  }

  /** Smallest values first; those that no row has are left out. */
  ascending(): readonly Magnitude[] {
    return this.#magnitudes.filter((magnitude) => magnitude !== undefined);
  }
}
